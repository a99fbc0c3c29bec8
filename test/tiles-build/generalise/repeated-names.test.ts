// Names that several objects of a cell share, in the vector tiles of written cells.

import { expect, test } from 'vitest';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

const WEST = 5.01;
const SOUTH = 43.01;
const SIDE = 0.1;
const MIDDLE = [WEST + SIDE / 2, SOUTH + SIDE / 2] as const;

type Areas = WrittenPlan['areas'];

const harbour = (areas: Areas): WrittenPlan => ({
  name: 'ZZ5HARBR',
  usageBand: 5,
  scaleDenominator: 12_000,
  areas: [
    ['M_COVR', [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], { CATCOV: 1 }],
    ['DEPARE', [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], { DRVAL1: 5, DRVAL2: 20 }],
    ...areas,
  ],
});

/** A square around a place, as wide as a fraction of a degree. */
const square = (x: number, y: number, side: number) =>
  [x - side / 2, y - side / 2, x + side / 2, y + side / 2] as const;

async function namesOf(areas: Areas, zoom: number, at: readonly [number, number] = MIDDLE) {
  const chart = await WrittenChart.of([writtenCell(harbour(areas))]);
  return chart
    .features('AREASYM', zoom, at)
    .map(({ properties }) => [properties['cls'], properties['nm'], properties['sy']]);
}

const sections = (apart: number, words: Readonly<Record<string, string>> = {}): Areas => [
  ['FAIRWY', square(MIDDLE[0] - apart / 2, MIDDLE[1], 0.002), { OBJNAM: 'Long Reach', ...words }],
  ['FAIRWY', square(MIDDLE[0] + apart / 2, MIDDLE[1], 0.002), { OBJNAM: 'Long Reach' }],
];

test('an anchorage and the sea area of the same ground write their name once, beside the anchor', async () => {
  const ground = square(MIDDLE[0], MIDDLE[1], 0.01);
  const areas: Areas = [
    ['SEAARE', ground, { OBJNAM: 'Old Anchorage' }],
    ['ACHARE', ground, { OBJNAM: 'Old Anchorage' }],
  ];
  for (const zoom of [11, 14, 15]) {
    expect(await namesOf(areas, zoom)).toEqual([['ACHARE', 'Old Anchorage', 'ACHARE51']]);
  }
});

test('sections of a channel that stand near on the screen write its name once, further apart each', async () => {
  // 0.01° are 233 pixels at zoom 14, and 29 at zoom 11.
  expect(await namesOf(sections(0.01), 11)).toHaveLength(1);
  const apart = await namesOf(sections(0.01), 14, [MIDDLE[0] - 0.005, MIDDLE[1]]);
  const other = await namesOf(sections(0.01), 14, [MIDDLE[0] + 0.005, MIDDLE[1]]);
  expect(new Set([...apart, ...other].map(([, name]) => name))).toEqual(new Set(['Long Reach']));
  expect(apart.length + other.length).toBeGreaterThanOrEqual(2);
});

test('what is charted for some days only takes the name of no other', async () => {
  const dated = sections(0.0021, { DATSTA: '20260101', DATEND: '20260301' });
  expect(await namesOf(dated, 11)).toHaveLength(2);
  expect(await namesOf(sections(0.0021), 11)).toHaveLength(1);
});

test('a symbol stays where its name stands nearby already', async () => {
  const areas: Areas = [
    ['ACHARE', square(MIDDLE[0], MIDDLE[1], 0.002), { OBJNAM: 'Old Anchorage' }],
    ['ACHARE', square(MIDDLE[0] + 0.002, MIDDLE[1], 0.001), { OBJNAM: 'Old Anchorage' }],
  ];
  // Near its scale: further below it signs give way to those alike too.
  const found = await namesOf(areas, 14);
  expect(found.map(([, , symbol]) => symbol)).toEqual(['ACHARE51', 'ACHARE51']);
  expect(found.filter(([, name]) => name !== undefined)).toHaveLength(1);
});

test('an island and the water of its name are hidden and shown apart, so both keep it', async () => {
  const ground = square(MIDDLE[0], MIDDLE[1], 0.01);
  const areas: Areas = [
    ['LNDRGN', ground, { OBJNAM: 'Holm' }],
    ['SEAARE', ground, { OBJNAM: 'Holm' }],
  ];
  expect((await namesOf(areas, 12)).map(([, name]) => name)).toEqual(['Holm', 'Holm']);
});
