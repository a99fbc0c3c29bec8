// The town and the port of Wick, along the quays and moles of ./ground.ts.

import {
  area,
  box,
  curve,
  line,
  type Place,
  places,
  point,
  type Thing,
  together,
} from './thing.ts';

const NEAR = [4, 5] as const;
const COAST = [3, 5] as const;

/** A building with a ridge at an angle in degrees counterclockwise from east; kilometres. */
function building(name: string, [x, y]: Place, size: Place, degrees: number, kind = 0): Thing {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const ring = box(-size[0] / 2, -size[1] / 2, size[0] / 2, size[1] / 2).map(
    ([u, v]): Place => [x + u * cos - v * sin, y + u * sin + v * cos],
  );
  return area(name, 'BUISGL', ring, kind === 0 ? {} : { FUNCTN: kind });
}

const TOWN: readonly Thing[] = [
  area(
    'Wick town',
    'BUAARE',
    places(`
      -1.35 2.22, -0.95 2.3, -0.6 2.18, -0.18 2.34, 0.68 2.38, 1.4 2.35, 2.2 2.3, 2.5 2.16,
      2.66 2.26, 2.72 2.55, 2.42 2.8, 2.5 3.1, 2.05 3.26, 1.62 3.02, 1.4 3.36, 1.12 3.62,
      0.82 3.58, 0.7 3.18, 0.28 3.06, -0.2 3.2, -0.72 2.98, -0.78 2.72, -1.22 2.66, -1.5 2.44`),
    { CATBUA: 4, OBJNAM: 'Wick', CONVIS: 2 },
    COAST,
  ),
  area(
    'Eastgate',
    'BUAARE',
    places('3.34 1.56, 3.7 1.5, 4.3 1.36, 4.5 1.6, 4.05 1.9, 3.7 2.1, 3.38 2.02'),
    { CATBUA: 4, OBJNAM: 'Eastgate' },
    NEAR,
  ),
  point(
    'Wick church',
    'LNDMRK',
    [0.5, 2.9],
    { CATLMK: 20, FUNCTN: 20, CONVIS: 1, OBJNAM: 'Wick church' },
    NEAR,
  ),
  point('Wick chimney', 'LNDMRK', [2.0, 2.75], { CATLMK: 3, CONVIS: 1, HEIGHT: 62 }, NEAR),
  point('Wick monument', 'LNDMRK', [-1.2, 2.3], { CATLMK: 9, CONVIS: 2 }),
  point('Water tower', 'BUISGL', [1.6, 2.9], { FUNCTN: 0, BUISHP: 5, CONVIS: 1 }),
  point(
    'Wick radio',
    'RDOSTA',
    [-0.1, 3.3],
    { CATROS: '10', OBJNAM: 'Wick Radio', CALSGN: 'ZLW' },
    NEAR,
  ),
  line(
    'Quay street',
    'ROADWY',
    curve([-0.9, 2.36], [-0.1, 2.3], [0.6, 2.22], [1.3, 2.2], [2.1, 2.14], [2.45, 2.02]),
    { CATROD: 3 },
  ),
  line('Church street', 'ROADWY', curve([0.45, 2.25], [0.5, 2.6], [0.42, 2.95], [0.6, 3.2]), {
    CATROD: 3,
  }),
];

const QUAYS: readonly Thing[] = [
  point('Customs house', 'BUISGL', [0.75, 2.28], { FUNCTN: 3, OBJNAM: 'Customs' }),
  point('Harbour office', 'BUISGL', [1.25, 2.27], { FUNCTN: 2 }),
  building('Fish market', [0.78, 2.03], [0.26, 0.05], 5, 6),
  building('Ice house', [0.32, 2.0], [0.09, 0.045], 3),
  building('Net loft', [0.3, 2.11], [0.13, 0.03], 5),
  building('Rope walk', [1.2, 2.06], [0.3, 0.02], -3),
  building('Warehouse', [1.58, 2.1], [0.2, 0.07], -4, 15),
  building('Bonded store', [1.56, 1.94], [0.14, 0.05], -4, 15),
  building('Boat shed', [1.85, 2.09], [0.1, 0.06], -8),
  building('Sail loft', [2.16, 1.99], [0.09, 0.03], -4),
  building('Yacht club', [2.36, 1.96], [0.06, 0.04], -8),
  building('Lifeboat house', [-0.02, 2.13], [0.05, 0.03], 40),
  point('Oil tank', 'SILTNK', [2.35, 2.55], { CATSIL: 2, CONVIS: 1 }),
  point('Silo', 'SILTNK', [2.5, 2.42], { CATSIL: 1 }),
  point('Wick lifeboat', 'RSCSTA', [-0.08, 2.04], { CATRSC: '1' }, NEAR),
  point('Wick tide gauge', 'SISTAT', [0.985, 1.64], { CATSIT: '8' }),
  point('Berth 1', 'BERTHS', [0.44, 1.86], { OBJNAM: '1', DRVAL1: 6 }),
  point('Berth 2', 'BERTHS', [0.78, 1.89], { OBJNAM: '2', DRVAL1: 6 }),
  point('Berth 3', 'BERTHS', [1.2, 1.91], { OBJNAM: '3', DRVAL1: 6 }),
  point('Fish quay crane', 'CRANES', [0.59, 1.72], { CATCRN: 2, CONVIS: 1, HEIGHT: 31 }),
  point('Slip crane', 'CRANES', [1.68, 1.74], { CATCRN: 3 }),
  point('Dolphin 1', 'MORFAC', [1.28, 1.52], { CATMOR: 1 }),
  point('Dolphin 2', 'MORFAC', [1.36, 1.6], { CATMOR: 2 }),
  line('Pipeline trestle', 'CONVYR', curve([1.7, 2.2], [1.78, 2.02], [1.72, 1.86]), {
    CATCON: 2,
    VERCLR: 9,
  }),
  line('Oil boom', 'OILBAR', curve([0.92, 1.33], [1.12, 1.3], [1.37, 1.26]), { CATOLB: 2 }),
  area('Dry dock gate', 'GATCON', box(1.39, 1.782, 1.43, 1.792), { CATGAT: 4 }),
  area('Fish dock', 'DOCARE', places('0.63 1.67, 0.94 1.66, 0.92 1.91, 0.62 1.88'), {
    CATDOC: 1,
    OBJNAM: 'Fish Dock',
  }),
  area(
    'Harbour speed',
    'RESARE',
    places(`
      0.06 1.62, 0.2 1.36, 0.48 1.24, 0.9 1.34, 1.38 1.28, 1.62 1.28, 1.78 1.4, 1.88 1.64,
      1.88 1.8, 0.1 1.82`),
    { RESTRN: '27', INFORM: '5 kn' },
  ),
];

const MARINA: readonly Thing[] = [
  area(
    'Wick yacht harbour',
    'HRBFAC',
    places('1.99 1.5, 2.14 1.4, 2.4 1.42, 2.49 1.64, 2.47 1.8, 1.98 1.83'),
    { CATHAF: '5', OBJNAM: 'Wick Marina' },
  ),
  point('Yacht harbour', 'SMCFAC', [2.24, 2.02], { CATSCF: '1' }),
  point('Fuel', 'SMCFAC', [2.05, 1.91], { CATSCF: '13' }),
  line('Yacht moorings', 'MORFAC', curve([1.5, 0.75], [1.72, 0.86], [1.9, 0.78]), { CATMOR: 4 }),
  area('Timber ground', 'LOGPON', places('-0.62 1.62, -0.5 1.44, -0.36 1.5, -0.42 1.68')),
  ...together(
    line(
      'Mouth Bridge',
      'BRIDGE',
      [
        [2.84, 1.74],
        [3.28, 1.68],
      ],
      { CATBRG: '1', VERCLR: 18.5, OBJNAM: 'Mouth Bridge' },
      NEAR,
    ),
    point('Mouth Bridge light', 'LIGHTS', [3.06, 1.71], {
      COLOUR: '6',
      LITCHR: 7,
      SIGPER: 2,
      VALNMR: 3,
    }),
  ),
  line(
    'Overhead pipe',
    'PIPOHD',
    [
      [2.88, 2.2],
      [3.22, 2.14],
    ],
    { VERCLR: 12 },
  ),
];

export const PORT: readonly Thing[] = [...TOWN, ...QUAYS, ...MARINA];
