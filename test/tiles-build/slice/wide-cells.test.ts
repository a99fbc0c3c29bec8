// Charts wider than half the globe, which an overview of an ocean or of the world is.

import { expect, test } from 'vitest';
import { coverageOf } from '../../../tiles-build/quilt/coverage.ts';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

const overview = (west: number, east: number, wrecks: readonly number[]): WrittenPlan => ({
  name: 'ZZ1WORLD',
  usageBand: 1,
  scaleDenominator: 10_000_000,
  areas: [
    ['M_COVR', [west, -60, east, 60], { CATCOV: 1 }],
    ['DEPARE', [west, -60, east, 60], { DRVAL1: 10, DRVAL2: 20 }],
  ],
  points: wrecks.map((x) => ['WRECKS', [x, 20], { VALSOU: 5, WATLEV: 3 }]),
});

test.each([
  ['the whole world', -180, 180],
  ['both sides of Greenwich, 200° wide,', -100, 100],
])('a chart of %s shows its water and its dangers where they are', async (_, west, east) => {
  const wrecks = [west + 10, -0.5, 0.5, east - 10];
  const cell = writtenCell(overview(west, east, wrecks));
  const chart = await WrittenChart.of([cell]);
  for (const longitude of wrecks) {
    for (const layer of ['DEPARE', 'WRECKS', 'coverage']) {
      const found = chart.features(layer, 6, [longitude, 20]);
      expect(found.length, `${layer} at ${longitude}`).toBeGreaterThan(0);
    }
  }
  // The other side of the world is not the chart's.
  if (east < 180) expect(chart.features('DEPARE', 6, [170, 20])).toEqual([]);
});

test('a coverage of no extent is none, so that its cell does not count as used', () => {
  const line = writtenCell({
    ...overview(10, 20, []),
    areas: [
      ['M_COVR', [10, 5, 20, 5], { CATCOV: 1 }],
      ['DEPARE', [10, 0, 20, 10]],
    ],
  });
  expect(coverageOf(line).rings).toEqual([]);
});
