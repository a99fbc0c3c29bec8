// A harbour that does not exist with more in it than there is room for: soundings, rocks and buoys in
// heaps, areas over one another, and virtual aids.

import { seededRandom } from '../support/seeded-random.ts';
import type { WrittenPlan } from '../support/written-chart.ts';

const [WEST, SOUTH] = [-22, 12];
const [WIDTH, HEIGHT] = [0.08, 0.06];

type Box = readonly [west: number, south: number, east: number, north: number];

/** Fractions of the cell's width and height to degrees. */
const box = (west: number, south: number, east: number, north: number): Box => [
  round(WEST + west * WIDTH),
  round(SOUTH + south * HEIGHT),
  round(WEST + east * WIDTH),
  round(SOUTH + north * HEIGHT),
];
const at = (x: number, y: number) => [round(WEST + x * WIDTH), round(SOUTH + y * HEIGHT)] as const;
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

/** Zoom, latitude and longitude of the pictures. */
export const CROWDED_PLACES = {
  whole: [WEST + WIDTH / 2, SOUTH + HEIGHT / 2],
  areas: at(0.78, 0.72),
  virtualAids: at(0.78, 0.25),
  soundings: at(0.5, 0.5),
} as const;

/** Depths by strips from the coast eastwards, in metres. */
const STRIPS = [
  [0.15, 0.3, -2, 0],
  [0.3, 0.4, 0, 5],
  [0.4, 0.6, 5, 10],
  [0.6, 1, 10, 30],
] as const;

const VIRTUAL_AIDS = [
  ['Virtual AtoN, North Cardinal', 0.78, 0.32],
  ['Virtual AtoN, South Cardinal', 0.78, 0.18],
  ['Virtual AtoN, Port Lateral', 0.72, 0.25],
  ['Virtual AtoN, Wreck Marking', 0.84, 0.25],
] as const;

export function crowdedCell(): WrittenPlan {
  const random = seededRandom(5);
  const within = (west: number, south: number, east: number, north: number) =>
    at(west + random() * (east - west), south + random() * (north - south));
  const around = (x: number, y: number, reach: number) =>
    within(x - reach, y - reach, x + reach, y + reach);
  const rocks = Array.from({ length: 90 }, (_, i) => {
    const [x, y] = [0.36 + 0.08 * (i % 3), 0.2 + 0.25 * (i % 3)];
    const words = { WATLEV: 3, VALSOU: Math.round(random() * 60) / 10, QUASOU: 6 };
    return ['UWTROC', around(x, y, 0.05), words] as const;
  });
  const buoys = Array.from({ length: 40 }, () => {
    const words = { BOYSHP: 3, CATSPM: 27, COLOUR: '6' };
    return ['BOYSPP', around(0.72, 0.5, 0.16), words] as const;
  });
  const aids = VIRTUAL_AIDS.map(
    ([CLSNAM, x, y]) =>
      [
        'NEWOBJ',
        at(x, y),
        { CLSNAM, SYMINS: "SY(BOYCAR01);TX('V-AIS',3,2,2,'15110',2,0,CHMGD,11)" },
      ] as const,
  );
  const depthAt = (x: number): number => (x < 0.3 ? -1.6 : x < 0.4 ? 3 : x < 0.6 ? 7.4 : 18);
  const soundings = Array.from({ length: 700 }, () => {
    const x = 0.16 + 0.83 * random();
    const depth = depthAt(x) + Math.round(random() * 15) / 10;
    return [...at(x, random()), depth] as const;
  });
  return {
    name: 'ZL5CROWD',
    usageBand: 5,
    scaleDenominator: 12_000,
    areas: [
      ['M_COVR', box(0, 0, 1, 1), { CATCOV: 1 }],
      ['LNDARE', box(0, 0, 0.15, 1)],
      ...STRIPS.map(
        ([west, east, DRVAL1, DRVAL2]) =>
          ['DEPARE', box(west, 0, east, 1), { DRVAL1, DRVAL2 }] as const,
      ),
      ['ACHARE', box(0.66, 0.6, 0.9, 0.84), { CATACH: '1', OBJNAM: 'Outer Road' }],
      ['RESARE', box(0.68, 0.62, 0.88, 0.82), { RESTRN: '3' }],
      ['CTNARE', box(0.7, 0.64, 0.86, 0.8)],
      ['CBLARE', box(0.64, 0.66, 0.92, 0.78)],
      ['DMPGRD', box(0.72, 0.66, 0.84, 0.78), { CATDPG: '2' }],
    ],
    points: [...rocks, ...buoys, ...aids],
    soundings,
    soundingWords: { SCAMIN: 29_999 },
  };
}
