// What stands on the land and along the shore, and what crosses the water above.

import { area, box, line, point, round, type Thing, together } from './thing.ts';

const NEAR = [4, 5] as const;
const COAST = [3, 5] as const;

export const LAND: readonly Thing[] = [
  point(
    'Great Lantern',
    'LNDRGN',
    [-1, 8],
    { OBJNAM: 'Great Lantern', NOBJNM: 'Μέγα Φανάρι' },
    [2, 4],
  ),
  point('Little Lantern', 'LNDRGN', [-52, 14], { OBJNAM: 'Little Lantern' }, [2, 3]),
  point('Snuffer', 'LNDRGN', [48, -34], { OBJNAM: 'Snuffer' }, [2, 3]),
  point(
    'Lantern Isles',
    'LNDRGN',
    [0, 10],
    { OBJNAM: 'Lantern Isles (fictional, not for navigation)' },
    [1, 2],
  ),
  point('Wick Arm', 'LNDRGN', [-8.1, -0.6], { OBJNAM: 'West Arm', CATLND: '8' }, NEAR),
  point('Tinder', 'LNDRGN', [-1.9, -3.25], { OBJNAM: 'Tinder' }, NEAR),
  area(
    'Wick town',
    'BUAARE',
    box(-1.5, 2.45, 2.6, 3.2),
    { CATBUA: 4, OBJNAM: 'Wick', CONVIS: 2 },
    COAST,
  ),
  area('Marsh', 'VEGATN', round([-4.4, 2.4], 0.6, 0.25), { CATVEG: '6' }),
  area('Pine wood', 'VEGATN', round([4.8, 2.2], 0.9, 0.35), { CATVEG: '5' }),
  area('Wick meadow', 'LNDRGN', round([-2.7, 2.3], 0.4, 0.2), { CATLND: '12', OBJNAM: 'Meads' }),
  area('Mill lake', 'LAKARE', round([-0.2, 4.6], 0.7, 0.35), { OBJNAM: 'Mill Lake' }, NEAR),
  line(
    'Mill brook',
    'RIVERS',
    [
      [-0.2, 4.25],
      [-0.6, 3.6],
      [-0.5, 3.2],
      [-0.9, 2.6],
      [-0.8, 2.3],
    ],
    { OBJNAM: 'Mill Brook' },
    NEAR,
  ),
  line(
    'Wick road',
    'ROADWY',
    [
      [-6.5, 2.3],
      [-3, 2.9],
      [0.5, 2.75],
      [4, 2.9],
      [7.5, 1.2],
    ],
    { CATROD: 2 },
    NEAR,
  ),
  line(
    'Wick railway',
    'RAILWY',
    [
      [0.9, 2.55],
      [2.2, 3.4],
      [5.2, 4.4],
    ],
    {},
    NEAR,
  ),
  line(
    'Hill contour',
    'LNDELV',
    round([0, 8.6], 4.2, 2.1).concat([[4.2, 8.6]]),
    { ELEVAT: 200 },
    [4, 4],
  ),
  point('Lamp Hill', 'LNDELV', [0.3, 8.9], { ELEVAT: 321, OBJNAM: 'Lamp Hill' }, [2, 4]),
  point('Arm Hill', 'LNDELV', [-8.3, 0.2], { ELEVAT: 88, OBJNAM: 'Arm Hill' }, NEAR),
  point(
    'Wick church',
    'LNDMRK',
    [0.5, 2.9],
    { CATLMK: 20, FUNCTN: 20, CONVIS: 1, OBJNAM: 'Wick church' },
    NEAR,
  ),
  point('Wick chimney', 'LNDMRK', [2.0, 2.75], { CATLMK: 3, CONVIS: 1, HEIGHT: 62 }, NEAR),
  point('Lamp Hill mast', 'LNDMRK', [0.6, 8.6], { CATLMK: 7, CONVIS: 1, HEIGHT: 380 }, COAST),
  point('Wick monument', 'LNDMRK', [-1.2, 2.3], { CATLMK: 9, CONVIS: 2 }),
  point('Arm windmill', 'LNDMRK', [-7.9, -1.6], { CATLMK: 18, CONVIS: 1 }),
  point('Turbine', 'LNDMRK', [-8.6, 0.9], { CATLMK: 19, CONVIS: 1 }),
  point('Water tower', 'BUISGL', [1.6, 2.9], { FUNCTN: 0, BUISHP: 5, CONVIS: 1 }),
  point('Customs house', 'BUISGL', [0.75, 2.4], { FUNCTN: 3, OBJNAM: 'Customs' }),
  point('Harbour office', 'BUISGL', [1.25, 2.42], { FUNCTN: 2 }),
  area('Warehouse', 'BUISGL', box(1.5, 2.3, 1.72, 2.38), { FUNCTN: 15 }),
  point('Oil tank', 'SILTNK', [2.35, 2.55], { CATSIL: 2, CONVIS: 1 }),
  point('Silo', 'SILTNK', [2.5, 2.42], { CATSIL: 1 }),
  area('Fort Taper', 'FORSTC', box(-8.0, -2.4, -7.8, -2.25), { CATFOR: 2 }),
  point('Wick lifeboat', 'RSCSTA', [-0.4, 1.95], { CATRSC: '1' }, NEAR),
  point('Coast guard', 'CGUSTA', [8.4, -0.5], { OBJNAM: 'Lantern Coast Guard' }, NEAR),
  point(
    'Wick radio',
    'RDOSTA',
    [-0.1, 3.3],
    { CATROS: '10', OBJNAM: 'Wick Radio', CALSGN: 'ZLW' },
    NEAR,
  ),
  point('Wick tide gauge', 'SISTAT', [1.05, 1.42], { CATSIT: '8' }),
  line(
    'Arm cliff',
    'SLOTOP',
    [
      [-9.3, -1.2],
      [-9.1, -2.2],
      [-8.6, -2.9],
    ],
    { CATSLO: 6 },
  ),
  line(
    'Wick dyke',
    'DYKCON',
    [
      [-3.6, 1.75],
      [-2.6, 1.7],
      [-1.9, 1.75],
    ],
    {},
  ),
  line(
    'Wood fence',
    'FNCLNE',
    [
      [3.9, 2.5],
      [4.8, 2.7],
      [5.7, 2.5],
    ],
    { CATFNC: 1 },
  ),
  area(
    'Wick airfield',
    'AIRARE',
    round([-3.4, 3.8], 1.1, 0.4),
    { CATAIR: '5', OBJNAM: 'Wick' },
    NEAR,
  ),
  line(
    'Wick runway',
    'RUNWAY',
    [
      [-4.2, 3.7],
      [-2.6, 3.9],
    ],
    { CATRUN: 1 },
    NEAR,
  ),
];

/** The port of Wick: along the quays that ./ground.ts builds. */
export const PORT: readonly Thing[] = [
  point('Berth 1', 'BERTHS', [0.55, 1.87], { OBJNAM: '1', DRVAL1: 6 }),
  point('Berth 2', 'BERTHS', [0.95, 1.87], { OBJNAM: '2', DRVAL1: 6 }),
  point('Berth 3', 'BERTHS', [1.35, 1.87], { OBJNAM: '3', DRVAL1: 6 }),
  point('Wick crane', 'CRANES', [0.7, 1.95], { CATCRN: 2, CONVIS: 1, HEIGHT: 31 }),
  point('Dolphin 1', 'MORFAC', [0.5, 1.1], { CATMOR: 1 }),
  point('Dolphin 2', 'MORFAC', [0.3, 1.1], { CATMOR: 2 }),
  line(
    'Yacht moorings',
    'MORFAC',
    [
      [2.6, 0.5],
      [2.9, 0.75],
    ],
    { CATMOR: 4 },
  ),
  area('Wick yacht harbour', 'HRBFAC', box(2.0, 1.45, 2.35, 1.75), {
    CATHAF: '5',
    OBJNAM: 'Wick Marina',
  }),
  point('Yacht harbour', 'SMCFAC', [2.12, 2.0], { CATSCF: '1' }),
  point('Fuel', 'SMCFAC', [1.85, 2.0], { CATSCF: '13' }),
  area('Timber ground', 'LOGPON', round([-1.2, 1.25], 0.15, 0.1), {}),
  line(
    'Oil boom',
    'OILBAR',
    [
      [0.35, 1.2],
      [0.2, 1.35],
    ],
    { CATOLB: 2 },
  ),
  ...together(
    line(
      'Mouth Bridge',
      'BRIDGE',
      [
        [2.6, 1.55],
        [3.3, 1.35],
      ],
      { CATBRG: '1', VERCLR: 18.5, OBJNAM: 'Mouth Bridge' },
      NEAR,
    ),
    point('Mouth Bridge light', 'LIGHTS', [2.95, 1.45], {
      COLOUR: '6',
      LITCHR: 7,
      SIGPER: 2,
      VALNMR: 3,
    }),
  ),
  line(
    'Power line',
    'CBLOHD',
    [
      [-6.4, 0.6],
      [-5.2, 1.9],
    ],
    { CATCBL: 1, VERCLR: 24, CONVIS: 1 },
    NEAR,
  ),
  line(
    'Overhead pipe',
    'PIPOHD',
    [
      [2.3, 1.75],
      [2.6, 1.45],
    ],
    { VERCLR: 12 },
  ),
  area('Lock basin gate', 'GATCON', box(-0.18, 1.5, -0.1, 1.56), { CATGAT: 4 }),
  point('Slip crane', 'CRANES', [1.65, 1.95], { CATCRN: 3 }),
  area('Dock area', 'DOCARE', box(0.45, 1.45, 0.62, 1.6), { CATDOC: 1 }),
  line(
    'Pipeline trestle',
    'CONVYR',
    [
      [1.75, 2.25],
      [1.95, 1.95],
    ],
    { CATCON: 2, VERCLR: 9 },
  ),
  area('Harbour speed', 'RESARE', box(0.2, 1.1, 1.9, 1.85), { RESTRN: '27', INFORM: '5 kn' }),
];
