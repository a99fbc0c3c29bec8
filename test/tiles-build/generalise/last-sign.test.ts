// Dangers of written cells that SCAMIN hides: at every zoom, a danger that is at least as shoal is drawn
// within 24 pixels of each, for any safety contour, with and without a coarser chart below.

import { featureFilter } from '@maplibre/maplibre-gl-style-spec';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDangerShown } from '../../../shared/style/depth-shading.ts';
import { DEFAULT_OPTIONS } from '../../../shared/style/options.ts';
import { type DrawnPoint, distance, drawnIn, pixelsAt } from '../../support/drawn-points.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

const [WEST, SOUTH, SIDE] = [5.01, 43.01, 0.5];
const BOX = [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE] as const;
const PIXELS = 24;

interface Rock {
  readonly at: readonly [number, number];
  readonly depth: number;
}

/** Rocks of random depths, half of them on drying ground, where no contour makes them isolated. */
function randomRocks(seed: number, count: number): Rock[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => ({
    at: [WEST + random() * SIDE, SOUTH + random() * SIDE],
    depth: Math.round(random() * 300) / 10 - 2,
  }));
}

const coast = (
  rocks: readonly Rock[],
  scamin: number,
  more: Partial<WrittenPlan>,
): WrittenPlan => ({
  name: 'ZZ4COAST',
  usageBand: 4,
  scaleDenominator: 80_000,
  areas: [
    ['M_COVR', BOX, { CATCOV: 1 }],
    ['DEPARE', [WEST, SOUTH, WEST + SIDE / 2, SOUTH + SIDE], { DRVAL1: -3, DRVAL2: 0 }],
    ['DEPARE', [WEST + SIDE / 2, SOUTH, WEST + SIDE, SOUTH + SIDE], { DRVAL1: 5, DRVAL2: 20 }],
  ],
  points: rocks.map(({ at, depth }, i) => [
    i % 3 === 0 ? 'OBSTRN' : 'UWTROC',
    at,
    { WATLEV: depth < 0 ? 4 : 3, VALSOU: depth, SCAMIN: scamin },
  ]),
  ...more,
});

/** A general chart of the same area, with a rock in the middle. */
const GENERAL: WrittenPlan = {
  name: 'ZZ3GENRL',
  usageBand: 3,
  scaleDenominator: 350_000,
  areas: [
    ['M_COVR', [WEST - 1, SOUTH - 1, WEST + 1, SOUTH + 1], { CATCOV: 1 }],
    ['DEPARE', [WEST - 1, SOUTH - 1, WEST + 1, SOUTH + 1], { DRVAL1: 0, DRVAL2: 50 }],
  ],
  points: [['UWTROC', [WEST + SIDE / 2, SOUTH + SIDE / 2], { WATLEV: 4 }]],
};

/** Dangers that the default style draws at a whole zoom with a safety contour. */
function drawnAt(chart: WrittenChart, zoom: number, depthLimit: number): DrawnPoint[] {
  const shown = isDangerShown({ ...DEFAULT_OPTIONS, depthLimit });
  const { filter } = featureFilter(shown as never, 'layers[0].filter');
  return ['UWTROC', 'OBSTRN', 'WRECKS'].flatMap((layer) =>
    drawnIn(chart, BOX, layer, zoom).filter(({ feature: { properties } }) =>
      filter({ zoom } as never, { type: 1, properties } as never),
    ),
  );
}

function unsigned(chart: WrittenChart, rocks: readonly Rock[], zoom: number): string[] {
  const wrong: string[] = [];
  for (const limit of [0, 3, 10, 40]) {
    const drawn = drawnAt(chart, zoom, limit).filter(
      ({ feature: { properties } }) => Number(properties['mz'] ?? 0) <= zoom,
    );
    for (const { at, depth } of rocks) {
      const place = pixelsAt(zoom, at);
      const has = drawn.some(
        (one) => Number(one.feature.properties['dd']) <= depth && distance(one, place) <= PIXELS,
      );
      if (!has) wrong.push(`${depth} m at ${at} at zoom ${zoom}, limit ${limit}`);
    }
  }
  return wrong;
}

describe.each([
  ['before the scale of their chart', 250_000],
  ['at the scale of their chart', 80_000],
  ['far beyond the scale of their chart', 12_000],
])('dangers that SCAMIN shows %s', (_, scamin) => {
  const rocks = randomRocks(scamin, 250);
  let alone: WrittenChart;
  let above: WrittenChart;
  beforeAll(async () => {
    const cell = writtenCell(coast(rocks, scamin, {}));
    alone = await WrittenChart.of([cell], { floors: false });
    above = await WrittenChart.of([cell, writtenCell(GENERAL)], { floors: false });
  });

  it.each([5, 6, 7, 8, 9, 10, 11, 12, 13])(
    'have one drawn near them without another chart, at zoom %i',
    (zoom) => {
      expect(unsigned(alone, rocks, zoom)).toEqual([]);
    },
  );

  it.each([11, 12, 13])('have one drawn near them above a coarser chart, at zoom %i', (zoom) => {
    expect(unsigned(above, rocks, zoom)).toEqual([]);
  });

  it('do not change the coarser chart at the zooms that show it', () => {
    for (const zoom of [9, 10]) {
      const found = drawnAt(above, zoom, 3).map(({ feature }) => feature.properties['dd']);
      expect(found).toEqual([-15]);
    }
  });

  it('keep a distance below the scale in water of equal depth', () => {
    for (const zoom of [5, 7, 9]) {
      const drawn = drawnAt(alone, zoom, 3);
      expect(drawn.length).toBeGreaterThan(0);
      const near = drawn.flatMap((a, i) =>
        drawn
          .slice(i + 1)
          .filter((b) => distance(a, b) < 8.5)
          .map((b) => [a, b]),
      );
      expect(near).toEqual([]);
    }
  });
});

it('keeps a danger hidden by SCAMIN if a shoaler one next to it represents it', async () => {
  const at = [WEST + 0.4, SOUTH + 0.25] as const;
  const rocks: Rock[] = [
    { at, depth: 1 },
    { at: [at[0] + 0.002, at[1]], depth: 2 },
  ];
  const chart = await WrittenChart.of([writtenCell(coast(rocks, 12_000, {}))], { floors: false });
  for (const zoom of [8, 12]) {
    const found = drawnAt(chart, zoom, 0.5).map(({ feature }) => feature.properties['dd']);
    expect(found, `zoom ${zoom}`).toEqual([1]);
  }
  // With a safety contour that makes it an isolated danger it is drawn from the chart's scale on.
  expect(drawnAt(chart, 12, 3)).toHaveLength(2);
});

it('applies SCAMIN to soundings, because the depth area around them is always drawn', async () => {
  const soundings = [[WEST + 0.4, SOUTH + 0.25, 6]] as const;
  const plan = coast([], 12_000, { soundings, soundingWords: { SCAMIN: 60_000 } });
  const chart = await WrittenChart.of([writtenCell(plan)], { floors: false });
  const counts = [8, 10, 13].map((zoom) => drawnIn(chart, BOX, 'SOUNDG', zoom).length);
  expect(counts).toEqual([0, 0, 1]);
});
