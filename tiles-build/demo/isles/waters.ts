// What is told about waters: areas with rules, routes, cables, seabed, names.

import { area, box, line, type Place, point, round, type Thing } from './thing.ts';

const NEAR = [4, 5] as const;
const COAST = [3, 5] as const;
const EVERYWHERE = [1, 5] as const;

const leadingLine: readonly Place[] = [
  [1.05, -5.6],
  [1.05, -0.2],
];

const seabed = (name: string, at: Place, nature: string, more: Thing['attributes'] = {}): Thing =>
  point(`Seabed ${name}`, 'SBDARE', at, { NATSUR: nature, ...more }, NEAR);

/** Two lanes and the zone between, from west to east. */
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
    [
      [0.4, 0.9],
      [-1, -2.4],
      [-5.8, -7],
      [-14, -9],
      [-40, -3],
    ],
    { CATFRY: 1 },
    COAST,
  ),
  line(
    'Deep water route centre',
    'DWRTCL',
    [
      [-80, -60],
      [-20, -40],
      [40, -55],
      [90, -60],
    ],
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
  area('Bird sanctuary', 'RESARE', round([-5, -4.9], 1.1, 1.3), { CATREA: '7', RESTRN: '8' }, NEAR),
  area('No anchoring off Wick', 'RESARE', box(-0.6, 0.3, 0.5, 1.1), { RESTRN: '1' }),
  area('Bathing water', 'RESARE', round([-4.4, 1.25], 0.35, 0.2), { CATREA: '9', RESTRN: '13' }),
  area(
    'Cable area',
    'CBLARE',
    [
      [-4.2, -7.6],
      [-4.5, 0.2],
      [-3.9, 0.3],
      [-3.5, -7.6],
    ],
    { CATCBL: 4, RESTRN: '1,3' },
    NEAR,
  ),
  line(
    'Telephone cable',
    'CBLSUB',
    [
      [-3.9, 0.9],
      [-4, -3],
      [-3.8, -8],
      [-12, -26],
      [-30, -44],
    ],
    { CATCBL: 4 },
    COAST,
  ),
  line(
    'Power cable',
    'CBLSUB',
    [
      [6.1, 0.0],
      [6.4, -2.2],
      [11.8, -6.6],
    ],
    { CATCBL: 1 },
    NEAR,
  ),
  line(
    'Water pipe',
    'PIPSOL',
    [
      [-2.5, 1.2],
      [-2.6, 0.4],
    ],
    { CATPIP: 4 },
  ),
  area('Gas pipe area', 'PIPARE', box(4.4, -1.3, 5, 0.2), { CATPIP: 6, RESTRN: '1' }),
  area(
    'Firing range',
    'MIPARE',
    box(10, -16, 17, -11),
    { CATMPA: 2, OBJNAM: 'Firing range' },
    COAST,
  ),
  area('Spoil ground', 'DMPGRD', round([-8.6, -6], 0.5, 0.3), { CATDPG: '5' }, NEAR),
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
    box(-5, -2.6, 5, 0.6),
    { OBJNAM: 'Wick Bay', CATSEA: 4, NOBJNM: 'Κόλπος Φανάρι' },
    NEAR,
  ),
  area(
    'Lantern Sound',
    'SEAARE',
    box(-40, -4, -20, 12),
    { OBJNAM: 'Lantern Sound', CATSEA: 52 },
    [3, 4],
  ),
  area(
    'Spill Bank',
    'SEAARE',
    round([2, -14.5], 5, 1.8),
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
  line(
    'Radar line',
    'RADLNE',
    [
      [8.2, -0.9],
      [4, -8],
    ],
    { ORIENT: 210 },
    NEAR,
  ),
  seabed('mud', [0.2, -0.4], '1'),
  seabed('sand', [3.6, -1.2], '4'),
  seabed('sand and shells', [-1.1, -2.1], '4,17'),
  seabed('rock', [-2.6, -3.4], '9'),
  seabed('fine sand', [1.9, -3.4], '4', { NATQUA: '1' }),
  seabed('gravel', [-5.8, -3.1], '6'),
  seabed('clay', [6.2, -6.3], '2'),
];

/** Shown by every band that has space for it. */
export const EXCLUSIVE_ZONE: Thing = area(
  'Exclusive zone',
  'EXEZNE',
  round([0, 0], 340, 340, 72),
  { NATION: 'XX' },
  EVERYWHERE,
);
