// Charts wider than half the globe, such as overviews of an ocean or of the world.

import { expect, test } from 'vitest';
import { portrayCell } from '../../../tiles-build/portray/portray-cell.ts';
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
])('a chart of %s shows its water and its dangers at their positions', async (_, west, east) => {
  const wrecks = [west + 10, -0.5, 0.5, east - 10];
  const cell = writtenCell(overview(west, east, wrecks));
  const chart = await WrittenChart.of([cell]);
  for (const longitude of wrecks) {
    for (const layer of ['DEPARE', 'WRECKS', 'coverage']) {
      const found = chart.features(layer, 6, [longitude, 20]);
      expect(found.length, `${layer} at ${longitude}`).toBeGreaterThan(0);
    }
  }
  // The chart does not include the other side of the world.
  if (east < 180) expect(chart.features('DEPARE', 6, [170, 20])).toEqual([]);
});

test('a coverage without area is empty, so that its cell does not count as used', () => {
  const line = writtenCell({
    ...overview(10, 20, []),
    areas: [
      ['M_COVR', [10, 5, 20, 5], { CATCOV: 1 }],
      ['DEPARE', [10, 0, 20, 10]],
    ],
  });
  expect(coverageOf(line).rings).toEqual([]);
});

test('a sounding shared by a cell across 180° and its neighbour has the same key in both', () => {
  const harbour = (name: string, west: number, east: number): WrittenPlan => ({
    name,
    usageBand: 5,
    scaleDenominator: 10_000,
    areas: [
      ['M_COVR', [west, 10, east, 10.1], { CATCOV: 1 }],
      ['DEPARE', [west, 10, east, 10.1], { DRVAL1: 1, DRVAL2: 20 }],
    ],
    soundings: [
      [-179.95, 10.05, 3.4],
      [-180, 10.05, 4.5],
    ],
  });
  const namesOf = (plan: WrittenPlan) =>
    portrayCell(writtenCell(plan)).flatMap(({ layer, key }) => (layer === 'SOUNDG' ? [key] : []));
  const names = namesOf(harbour('ZZ5ACROS', 179.95, -179.95));
  expect(names).toHaveLength(2);
  expect(namesOf(harbour('ZZ5EAST0', -180, -179.9))).toEqual(names);
});
