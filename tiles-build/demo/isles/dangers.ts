// Wrecks, rocks and obstructions, with and without a known depth.

import { area, line, point, round, type Thing } from './thing.ts';

const NEAR = [3, 5] as const;

export const DANGERS: readonly Thing[] = [
  point(
    'Wreck of the Candle',
    'WRECKS',
    [4.1, -2.0],
    { CATWRK: 2, VALSOU: 4.3, QUASOU: 6, WATLEV: 3, OBJNAM: 'Candle' },
    NEAR,
  ),
  point(
    'Wreck of the Match',
    'WRECKS',
    [-3.9, -2.7],
    { CATWRK: 1, VALSOU: 17.5, QUASOU: 6, WATLEV: 3 },
    NEAR,
  ),
  point(
    'Wreck of unknown depth',
    'WRECKS',
    [-0.9, -5.6],
    { CATWRK: 2, QUASOU: 2, WATLEV: 3 },
    NEAR,
  ),
  point('Stranded wreck', 'WRECKS', [-7.1, -2.9], { CATWRK: 5, WATLEV: 2 }, NEAR),
  point('Mast of the Spark', 'WRECKS', [3.3, -3.1], { CATWRK: 4, WATLEV: 3, QUASOU: 2 }),
  area('Wreckage field', 'WRECKS', round([5.2, -1.7], 0.16, 0.1), {
    CATWRK: 2,
    VALSOU: 6.1,
    QUASOU: 6,
    WATLEV: 3,
  }),
  point('Rock awash', 'UWTROC', [-1.35, -3.3], { WATLEV: 5, QUASOU: 2, VALSOU: 0 }),
  point('Drying rock', 'UWTROC', [-1.5, -2.7], { WATLEV: 4, VALSOU: -1.1, QUASOU: 6 }),
  point('Sunken rock', 'UWTROC', [-2.9, -4.9], { WATLEV: 3, VALSOU: 1.6, QUASOU: 6 }, NEAR),
  point('Rock of unknown depth', 'UWTROC', [2.2, -4.9], { WATLEV: 3, QUASOU: 2 }, NEAR),
  point('Rock off the shelf', 'UWTROC', [22.3, -20.1], { WATLEV: 3, VALSOU: 8.2, QUASOU: 6 }, NEAR),
  point('Lost anchor', 'OBSTRN', [0.3, -3.6], { CATOBS: 1, VALSOU: 9.4, QUASOU: 6, WATLEV: 3 }),
  point('Obstruction of unknown depth', 'OBSTRN', [5.9, -3.6], { QUASOU: 2, WATLEV: 3 }),
  point('Diffuser', 'OBSTRN', [-2.6, 0.4], { CATOBS: 3, VALSOU: 5.5, QUASOU: 6, WATLEV: 3 }),
  area('Foul ground', 'OBSTRN', round([-4.9, -1.2], 0.35, 0.22), {
    CATOBS: 7,
    QUASOU: 2,
    WATLEV: 3,
  }),
  area(
    'Fish haven',
    'OBSTRN',
    round([4.9, -5.9], 0.4, 0.25),
    { CATOBS: 5, VALSOU: 11.2, QUASOU: 6, WATLEV: 3 },
    [4, 5],
  ),
  line(
    'Sunken boom',
    'OBSTRN',
    [
      [3.4, 0.15],
      [3.75, 0.4],
      [3.9, 0.75],
    ],
    { CATOBS: 10, VALSOU: 2.1, QUASOU: 6, WATLEV: 3 },
  ),
  point('Foul area point', 'OBSTRN', [1.9, -5.4], { CATOBS: 7, WATLEV: 3, QUASOU: 2 }),
  area('Kelp bed', 'WEDKLP', round([-5.2, 0.5], 0.3, 0.35), { CATWED: 1 }),
  point('Eddies', 'WATTUR', [7.9, -2.6], { CATWAT: 3 }, [4, 5]),
  line(
    'Overfalls',
    'WATTUR',
    [
      [9.1, -2.6],
      [9.4, -3.4],
    ],
    { CATWAT: 4 },
    [4, 5],
  ),
  point('Stakes', 'PILPNT', [-0.15, 1.15], { CATPLE: 1 }),
  area('Sand waves', 'SNDWAV', round([3.2, -15.4], 1.6, 0.5), {}, [3, 4]),
  point('Spring', 'SPRING', [-7.4, -5.1], {}),
  point('Fishing stakes', 'FSHFAC', [5.3, -0.6], { CATFIF: 1 }),
  area('Mussel farm', 'MARCUL', round([-4.2, 0.6], 0.25, 0.15), { CATMFA: 1 }),
];
