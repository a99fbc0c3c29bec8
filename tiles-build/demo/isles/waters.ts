// Objects in the water: regulated areas, routes, cables, seabed, names.

import { SEABED } from './seabed.ts';
import {
  area,
  box,
  curve,
  line,
  type Place,
  places,
  point,
  round,
  type Thing,
  uneven,
} from './thing.ts';

const NEAR = [4, 5] as const;
const COAST = [3, 5] as const;
const EVERYWHERE = [1, 5] as const;

const leadingLine: readonly Place[] = [
  [1.05, -5.6],
  [1.05, -0.2],
];

/** CATSEA. */
const CATEGORY = { bank: 3, bay: 5, reef: 9, river: 53 } as const;

/** Two lanes and the zone between them, from west to east. */
const SEPARATION: readonly Thing[] = [
  area(
    'Spill lane west-bound',
    'TSSLPT',
    box(-21, -18.6, 21, -17.4),
    { ORIENT: 270, CATTSS: 1 },
    COAST,
  ),
  area('Spill zone', 'TSEZNE', box(-21, -19.2, 21, -18.6), { CATTSS: 1 }, COAST),
  area(
    'Spill lane east-bound',
    'TSSLPT',
    box(-21, -20.4, 21, -19.2),
    { ORIENT: 90, CATTSS: 1 },
    COAST,
  ),
  line(
    'Spill limit north',
    'TSSBND',
    [
      [-21, -17.4],
      [21, -17.4],
    ],
    { CATTSS: 1 },
    COAST,
  ),
  line(
    'Spill limit south',
    'TSSBND',
    [
      [-21, -20.4],
      [21, -20.4],
    ],
    { CATTSS: 1 },
    COAST,
  ),
  area('Spill inshore zone', 'ISTZNE', box(-12, -17.4, 12, -15.2), {}, COAST),
  area(
    'Spill precaution',
    'PRCARE',
    round([27, -18.9], 5.5, 4),
    { INFORM: 'Crossing traffic' },
    [3, 3],
  ),
  point('Spill recommended way', 'RCTLPT', [27, -18.9], { ORIENT: 75 }, [3, 3]),
];

/** An area that has only a name and its source. */
const namedWater = (name: string, ring: readonly Place[], kind: number, history: string): Thing =>
  area(name, 'SEAARE', ring, { OBJNAM: name, CATSEA: kind, INFORM: history }, NEAR);

const NAMED_WATERS: readonly Thing[] = [
  namedWater(
    "Chandler's Cove",
    uneven([6.3, -1.5], 0.5, 0.3),
    CATEGORY.bay,
    'Candles were landed here untaxed',
  ),
  namedWater('Candlewater', uneven([-5.1, 2.4], 0.55, 0.6), CATEGORY.river, 'Tallow works, 1740'),
  namedWater('The Gut', uneven([3.03, 2.3], 0.06, 0.4), CATEGORY.river, 'Fish were gutted here'),
  namedWater('Tallow Bank', uneven([2.1, -3.95], 0.5, 0.25), CATEGORY.bank, 'Slicks of calm water'),
  namedWater('Tinder Rocks', uneven([-3.4, -4.7], 0.5, 0.3), CATEGORY.reef, 'Eleven ships lost'),
  namedWater('The Sparks', uneven([-8.6, -4.9], 0.9, 0.4), CATEGORY.reef, 'Seas flash on them'),
  namedWater('The Snuffs', uneven([9, -3.5], 0.7, 0.6), CATEGORY.reef, 'They end a voyage'),
];

export const WATERS: readonly Thing[] = [
  ...SEPARATION,
  line('Wick leading line', 'NAVLNE', leadingLine, { CATNAV: 3, ORIENT: 0 }, NEAR),
  line(
    'Wick track',
    'RECTRC',
    [
      [1.05, -5.6],
      [1.05, 1.2],
    ],
    { CATTRK: 1, ORIENT: 0, TRAFIC: 4 },
    NEAR,
  ),
  area('Wick fairway area', 'FAIRWY', box(0.75, -5.6, 1.45, 0.9), { OBJNAM: 'Wick Channel' }, NEAR),
  line(
    'Ferry to Little Lantern',
    'FERYRT',
    curve(
      ...places(`
      0.8 1.6, 1.12 1.3, 1.0 0.5, -0.9 -1.9, -3.4 -2.9, -5.2 -4, -5.6 -6, -9 -8, -22 -8, -40 3,
      -44 8.6`),
    ),
    { CATFRY: 1 },
    COAST,
  ),
  line(
    'Deep water route centre',
    'DWRTCL',
    places('-80 -60, -20 -40, 40 -55, 90 -60'),
    { CATTRK: 2, TRAFIC: 4, ORIENT: 95 },
    [3, 3],
  ),
  point('Wick pilots', 'PILBOP', [0.2, -6.0], { CATPIL: 1, OBJNAM: 'Wick Pilots' }, COAST),
  point('Wick call-in', 'RDOCAL', [1.9, -5.9], { ORIENT: 0, TRAFIC: 1, COMCHA: '[12]' }, NEAR),
  area(
    'Wick anchorage',
    'ACHARE',
    round([3.1, -0.7], 0.7, 0.5),
    { CATACH: '1', OBJNAM: 'Wick Road' },
    NEAR,
  ),
  point('Berth A1', 'ACHBRT', [3.0, -0.6], { OBJNAM: 'A1', CATACH: '1', RADIUS: 150 }),
  area('Quarantine anchorage', 'ACHARE', round([-2.2, -1.2], 0.5, 0.4), { CATACH: '7' }),
  area(
    'Candle grave',
    'RESARE',
    round([4.1, -2.0], 0.3, 0.3),
    { CATREA: '14', RESTRN: '7,1' },
    NEAR,
  ),
  area(
    'Bird sanctuary',
    'RESARE',
    round([-6.3, -4.65], 0.95, 1.1),
    { CATREA: '7', RESTRN: '8' },
    NEAR,
  ),
  area('No anchoring off Wick', 'RESARE', box(-0.6, 0.3, 0.5, 1.1), { RESTRN: '1' }),
  area('Bathing water', 'RESARE', uneven([-1.9, 1.35], 0.3, 0.2), { CATREA: '9', RESTRN: '13' }),
  area(
    'Cable area',
    'CBLARE',
    places(`
      -5.2 -7.6, -5 -3.4, -3.95 -0.7, -3.7 0.12, -3.3 0.06, -3.45 -0.8, -4.55 -3.5, -4.6 -7.6`),
    { CATCBL: 4, RESTRN: '1,3' },
    NEAR,
  ),
  line(
    'Telephone cable',
    'CBLSUB',
    curve(...places('-3.4 0.3, -3.7 -0.8, -4.75 -3.6, -4.9 -7.6, -9 -20, -19 -33, -34 -46')),
    { CATCBL: 4 },
    COAST,
  ),
  line(
    'Power cable',
    'CBLSUB',
    curve([8, -1.9], [8.3, -3], [9.8, -5], [10.6, -6.2], [11, -7.2]),
    { CATCBL: 1 },
    NEAR,
  ),
  line(
    'Water pipe',
    'PIPSOL',
    [
      [-2.6, 0.9],
      [-2.3, -0.3],
    ],
    { CATPIP: 4 },
  ),
  area('Gas pipe area', 'PIPARE', box(4.2, -1.5, 4.6, 1.1), { CATPIP: 6, RESTRN: '1' }),
  area(
    'Firing range',
    'MIPARE',
    places('10 -16, 9.2 -12.5, 12.8 -11.2, 17.4 -12.2, 17 -16'),
    { CATMPA: 2, OBJNAM: 'Firing range' },
    COAST,
  ),
  area('Spoil ground', 'DMPGRD', round([-9, -6.4], 0.5, 0.3), { CATDPG: '5' }, NEAR),
  area('Old mines', 'CTNARE', round([-11, -12], 2.2, 1.3), { INFORM: 'Mines may remain' }, COAST),
  point('Caution off Arm', 'CTNARE', [-7.6, -4.5], { INFORM: 'Depths change after gales' }),
  area('Seaplanes', 'SPLARE', box(2.4, -2.2, 3.4, -1.5), { OBJNAM: 'Seaplane landing' }),
  area('Incineration', 'ICNARE', round([70, 20], 5, 5), {}, [3, 3]),
  area('Submarines', 'SUBTLN', box(60, -20, 80, -8), {}, [3, 3]),
  area('Fishing ground', 'FSHGRD', round([-40, -20], 9, 5), {}, [3, 3]),
  area('Wick harbour limit', 'HRBARE', box(-1.6, -1.9, 3.6, 2.4), { OBJNAM: 'Port of Wick' }, NEAR),
  area('Harbour office area', 'ADMARE', box(-1.6, -1.9, 3.6, 2.4), { JRSDTN: 3, NATION: 'XX' }),
  area(
    'Wick Bay',
    'SEAARE',
    places(`
      -7.2 -2.9, -7.3 -1.2, -6.4 0, -5.4 0.4, -4 0.5, -3.5 0, -2.6 0.4, -1.8 1.2, 0.9 1.15,
      2.5 1, 4.8 0.7, 4.95 -0.6, 5.4 -1.4, 5.8 -2.4, 0.5 -3.2`),
    { OBJNAM: 'Wick Bay', CATSEA: CATEGORY.bay, NOBJNM: 'Κόλπος Φανάρι' },
    NEAR,
  ),
  area(
    'Lantern Sound',
    'SEAARE',
    uneven([-30, 4], 10, 9),
    { OBJNAM: 'Lantern Sound', CATSEA: 12 },
    [3, 4],
  ),
  area(
    'Spill Bank',
    'SEAARE',
    uneven([0.6, -12.6], 2.6, 1.3),
    { OBJNAM: 'Spill Bank', CATSEA: 3 },
    COAST,
  ),
  area(
    'Sea of Lamps',
    'SEAARE',
    box(-260, -160, 220, 150),
    { OBJNAM: 'Sea of Lamps', CATSEA: 7 },
    [1, 2],
  ),
  point(
    'Magnetic variation',
    'MAGVAR',
    [-6, -16],
    { VALMAG: -21.5, RYRMGV: '2026', VALACM: -0.1 },
    COAST,
  ),
  point('Stream off Arm', 'TS_FEB', [-9, -5.4], { CAT_TS: 1, ORIENT: 165, CURVEL: 1.8 }, NEAR),
  point('Current in the Sound', 'CURENT', [-31, -4], { ORIENT: 200, CURVEL: 0.9 }, COAST),
  ...NAMED_WATERS,
  line(
    'Radar line',
    'RADLNE',
    [
      [8.2, 0.4],
      [4, -8],
    ],
    { ORIENT: 210 },
    NEAR,
  ),
  ...SEABED,
];

/** Shown in every band with enough space. */
export const EXCLUSIVE_ZONE: Thing = area(
  'Exclusive zone',
  'EXEZNE',
  round([0, 0], 340, 340, 72),
  { NATION: 'XX' },
  EVERYWHERE,
);
