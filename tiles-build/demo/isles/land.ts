// Land of the Lantern Isles: names, hills, inland waters, roads, and objects along the coast
// outside Wick.

import { heightAt } from '../terrain/sea-bed.ts';
import { area, curve, line, type Place, places, point, type Thing, uneven } from './thing.ts';

const NEAR = [4, 5] as const;
const COAST = [3, 5] as const;

/** A hill with the height from the terrain. */
const summit = (name: string, at: Place, bands: Thing['bands']): Thing =>
  point(name, 'LNDELV', at, { ELEVAT: Math.round(heightAt(...at, 0.1)), OBJNAM: name }, bands);

const named = (name: string, at: Place, history: string, bands: Thing['bands'] = NEAR): Thing =>
  point(name, 'LNDRGN', at, { OBJNAM: name, INFORM: history }, bands);

const NAMES: readonly Thing[] = [
  point(
    'Great Lantern',
    'LNDRGN',
    [-1, 8],
    { OBJNAM: 'Great Lantern', NOBJNM: 'Μέγα Φανάρι' },
    [2, 4],
  ),
  point('Little Lantern', 'LNDRGN', [-51, 14], { OBJNAM: 'Little Lantern' }, [2, 3]),
  point('Snuffer', 'LNDRGN', [48, -30.6], { OBJNAM: 'Snuffer' }, [2, 3]),
  point(
    'Lantern Isles',
    'LNDRGN',
    [0, 10],
    { OBJNAM: 'Lantern Isles (fictional, not for navigation)' },
    [1, 2],
  ),
  point('Wick Arm', 'LNDRGN', [-8.1, -0.6], { OBJNAM: 'West Arm', CATLND: '8' }, NEAR),
  named('Tinder', [-2.2, -3.3], 'Beacon fires were laid here until 1794'),
  named('Cinder', [-6.3, -4.6], 'So called since the heath fire of 1819'),
  named("St Elmo's Point", [-3.15, 0.5], 'Lights seen on the masts of the Constance, 1702'),
  named('Lantern Head', [7.4, -1.9], 'First lit in 1768 by whale oil'),
  named("Widow's Watch", [-7.8, -3.2], 'Wives of the herring fleet waited here'),
  named("Snuffers' Isle", [11.3, -7.6], 'Wreckers put out the false light in 1731', [3, 5]),
  named('Glim', [-17.7, -3.9], 'From glimmer: seen last when leaving', [3, 5]),
  named('Spark', [-13.5, 22.6], 'First of the northern isles to be settled', [3, 5]),
  named('Ember', [17.2, 20.8], 'Peat was cut here for the lighthouse', [3, 5]),
  summit('Lamp Hill', [0.3, 8.9], [2, 4]),
  summit('Arm Hill', [-8.4, 0.9], NEAR),
  summit('Whale Oil Hill', [8.6, 2.2], NEAR),
];

const COUNTRY: readonly Thing[] = [
  area(
    'Mill lake',
    'LAKARE',
    places(`
      -0.75 4.5, -0.62 4.78, -0.3 4.86, -0.12 5.04, 0.16 5.02, 0.22 4.82, 0.44 4.7, 0.36 4.5,
      0.02 4.42, -0.16 4.3, -0.42 4.36`),
    { OBJNAM: 'Mill Lake' },
    NEAR,
  ),
  line(
    'Mill brook',
    'RIVERS',
    curve(
      ...places('-0.16 4.3, -0.42 3.9, -0.36 3.5, -0.68 3.1, -0.62 2.7, -0.88 2.4, -0.86 2.08'),
    ),
    { OBJNAM: 'Mill Brook' },
    NEAR,
  ),
  line(
    'Lamp burn',
    'RIVERS',
    curve([-4.2, 5.6], [-3.4, 6.1], [-2.6, 6.2], [-1.9, 6.9], [-1, 7.1]),
    {},
    NEAR,
  ),
  line(
    'Gut burn',
    'RIVERS',
    curve([3.2, 3.6], [3.5, 4.3], [3.2, 5], [3.9, 5.7], [4, 6.4]),
    {},
    NEAR,
  ),
  line(
    'Wick road',
    'ROADWY',
    curve(
      ...places(`
      -7.1 -0.9, -7.2 0.2, -6.6 1.4, -6.5 2.6, -6.45 3.5, -5.6 4.35, -4.7 4.25, -3.9 3.6,
      -3.1 2.6, -2.1 2.35, -1.1 2.5, 0.1 2.62, 1.2 2.55, 2.1 2.4, 2.6 2.0, 2.84 1.74`),
    ),
    { CATROD: 2 },
    NEAR,
  ),
  line(
    'Lantern road',
    'ROADWY',
    curve(
      ...places(`
      3.28 1.68, 3.9 1.75, 4.7 1.5, 5.5 1.2, 5.9 0.5, 6.6 -0.2, 7.6 -0.6, 8 -1.3, 7.2 -1.95,
      6.35 -2.15`),
    ),
    { CATROD: 2 },
    NEAR,
  ),
  line(
    'North road',
    'ROADWY',
    curve([0.9, 2.58], [1.3, 3.2], [0.9, 4], [1.5, 5], [1.2, 6.4], [2.2, 8], [1.6, 10]),
    { CATROD: 3 },
    NEAR,
  ),
  line(
    'Wick railway',
    'RAILWY',
    curve([0.75, 2.4], [1.5, 2.72], [2.3, 3.2], [3.6, 3.9], [5.2, 4.4], [7, 4.6], [9, 5.8]),
    {},
    NEAR,
  ),
  area(
    'Marsh',
    'VEGATN',
    places('-4.4 1.5, -4.1 1.62, -3.9 2.0, -3.98 2.5, -4.3 2.85, -4.42 2.5, -4.26 2.05'),
    { CATVEG: '6' },
  ),
  area('Pine wood', 'VEGATN', uneven([5, 2.3], 0.9, 0.45), { CATVEG: '5' }),
  area('Arm wood', 'VEGATN', uneven([-7.6, 2.2], 0.5, 0.7), { CATVEG: '5' }),
  area('Wick meadow', 'LNDRGN', uneven([-2.6, 2], 0.35, 0.2), { CATLND: '12', OBJNAM: 'Meads' }),
  line('Wood fence', 'FNCLNE', curve([3.9, 2.6], [4.5, 2.95], [5.7, 2.9]), { CATFNC: 1 }),
  line('Wick dyke', 'DYKCON', curve([-4.05, 1.25], [-3.95, 1.55], [-3.7, 1.9]), {}),
  area(
    'Candlehythe',
    'BUAARE',
    places('-6.75 1.85, -6.2 1.95, -6.05 2.3, -6.25 2.75, -6.6 2.7, -6.7 2.4, -6.95 2.25'),
    { CATBUA: 3, OBJNAM: 'Candlehythe' },
    NEAR,
  ),
  area(
    'Wick airfield',
    'AIRARE',
    places('-3.3 3.1, -1.75 3.5, -1.65 3.85, -2.5 3.75, -2.7 3.95, -3.1 3.85, -3.45 3.45'),
    { CATAIR: '5', OBJNAM: 'Wick' },
    NEAR,
  ),
  line(
    'Wick runway',
    'RUNWAY',
    [
      [-3.2, 3.25],
      [-1.85, 3.62],
    ],
    { CATRUN: 1 },
    NEAR,
  ),
];

const COASTWISE: readonly Thing[] = [
  point('Lamp Hill mast', 'LNDMRK', [0.6, 8.6], { CATLMK: 7, CONVIS: 1, HEIGHT: 380 }, COAST),
  point('Arm windmill', 'LNDMRK', [-7.9, -1.6], { CATLMK: 18, CONVIS: 1 }),
  point('Turbine', 'LNDMRK', [-8.6, 0.9], { CATLMK: 19, CONVIS: 1 }),
  point('Coast guard', 'CGUSTA', [8.4, -0.5], { OBJNAM: 'Lantern Coast Guard' }, NEAR),
  area(
    'Fort Taper',
    'FORSTC',
    places('-7.86 -2.44, -7.7 -2.4, -7.66 -2.28, -7.74 -2.18, -7.9 -2.22, -7.95 -2.34'),
    { CATFOR: 2, OBJNAM: 'Fort Taper', INFORM: 'Built against privateers in 1781' },
  ),
  line('Arm cliff', 'SLOTOP', curve([-9.3, -3.2], [-8.8, -3.7], [-8.2, -3.8], [-7.6, -3.5]), {
    CATSLO: 6,
  }),
  line(
    'Power line',
    'CBLOHD',
    [
      [-5.7, 1.3],
      [-4.5, 1.5],
    ],
    { CATCBL: 1, VERCLR: 24, CONVIS: 1 },
    NEAR,
  ),
  line(
    "Chandlers' Bridge",
    'BRIDGE',
    [
      [-5.6, 4.35],
      [-4.7, 4.25],
    ],
    { CATBRG: '1', VERCLR: 4.5, OBJNAM: "Chandlers' Bridge" },
    [4, 4],
  ),
];

export const LAND: readonly Thing[] = [...NAMES, ...COUNTRY, ...COASTWISE];
