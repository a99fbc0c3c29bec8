// Wrecks, rocks and obstructions, with known and unknown depths.

import { area, curve, line, places, point, type Thing, uneven } from './thing.ts';

const NEAR = [3, 5] as const;

export const DANGERS: readonly Thing[] = [
  point(
    'Wreck of the Candle',
    'WRECKS',
    [4.1, -2.0],
    {
      CATWRK: 2,
      VALSOU: 8.4,
      QUASOU: 6,
      WATLEV: 3,
      OBJNAM: 'Candle',
      INFORM: 'Barque, lost in the gale of 1871',
    },
    NEAR,
  ),
  point(
    'Wreck of the Match',
    'WRECKS',
    [-3.3, -2.4],
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
  point('Stranded wreck', 'WRECKS', [-7.2, -2.86], { CATWRK: 5, WATLEV: 2 }, NEAR),
  point('Mast of the Spark', 'WRECKS', [-1.2, -2.2], { CATWRK: 4, WATLEV: 3, QUASOU: 2 }),
  area('Wreckage field', 'WRECKS', uneven([4.55, -1.3], 0.16, 0.1), {
    CATWRK: 2,
    VALSOU: 9.6,
    QUASOU: 6,
    WATLEV: 3,
  }),
  point('Rock awash', 'UWTROC', [-2.02, -2.6], { WATLEV: 5, QUASOU: 2, VALSOU: 0 }),
  point('Drying rock', 'UWTROC', [-2.32, -2.68], { WATLEV: 4, VALSOU: -1.1, QUASOU: 6 }),
  point('Sunken rock', 'UWTROC', [-2.86, -4.6], { WATLEV: 3, VALSOU: 1.6, QUASOU: 6 }, NEAR),
  point('Rock of unknown depth', 'UWTROC', [1.6, -4.05], { WATLEV: 3, QUASOU: 2 }, NEAR),
  point('Rock off the shelf', 'UWTROC', [22.3, -20.1], { WATLEV: 3, VALSOU: 8.2, QUASOU: 6 }, NEAR),
  point('Lost anchor', 'OBSTRN', [0.3, -3.6], { CATOBS: 1, VALSOU: 21, QUASOU: 6, WATLEV: 3 }),
  point('Obstruction of unknown depth', 'OBSTRN', [5.9, -3.6], { QUASOU: 2, WATLEV: 3 }),
  point('Diffuser', 'OBSTRN', [-2.3, -0.3], { CATOBS: 3, VALSOU: 5.5, QUASOU: 6, WATLEV: 3 }),
  area('Foul ground', 'OBSTRN', uneven([-4.9, -1.2], 0.35, 0.22), {
    CATOBS: 7,
    QUASOU: 2,
    WATLEV: 3,
  }),
  area(
    'Fish haven',
    'OBSTRN',
    uneven([4.9, -5.9], 0.4, 0.25),
    { CATOBS: 5, VALSOU: 11.2, QUASOU: 6, WATLEV: 3 },
    [4, 5],
  ),
  line('Sunken boom', 'OBSTRN', curve([-0.15, 0.72], [0.1, 0.58], [0.36, 0.66]), {
    CATOBS: 10,
    VALSOU: 2.1,
    QUASOU: 6,
    WATLEV: 3,
  }),
  point('Foul area point', 'OBSTRN', [1.9, -5.4], { CATOBS: 7, WATLEV: 3, QUASOU: 2 }),
  area('Kelp bed', 'WEDKLP', uneven([-6.98, -1.75], 0.13, 0.45), { CATWED: 1 }),
  point('Eddies', 'WATTUR', [8.6, -3.4], { CATWAT: 3 }, [4, 5]),
  line('Overfalls', 'WATTUR', places('6.2 -2.75, 6.9 -3.1, 7.7 -3.2'), { CATWAT: 4 }, [4, 5]),
  point('Stakes', 'PILPNT', [-0.15, 1.15], { CATPLE: 1 }),
  area('Sand waves', 'SNDWAV', uneven([3.2, -15.4], 1.6, 0.5), {}, [3, 4]),
  point('Spring', 'SPRING', [-7.4, -5.1], {}),
  point('Fishing stakes', 'FSHFAC', [4.4, 0.72], { CATFIF: 1 }),
  area('Mussel farm', 'MARCUL', uneven([-6.2, -0.3], 0.25, 0.15), { CATMFA: 1 }),
];
