import { expect, test } from 'vitest';
import { firstSight } from '../../../shared/chart/first-sight.ts';

const cell = (name: string, scaleDenominator: number, west: number, east: number) => ({
  name,
  scaleDenominator,
  bounds: [west, 50, east, 50 + ((east - west + 360) % 360)] as const,
  status: 'used',
});

test('where a map opens: on the middle of the chart of the largest scale, at a zoom that shows it', () => {
  const sight = firstSight([cell('A', 90_000, 0, 1), cell('B', 12_000, 10, 10.1)])!;
  expect(sight.longitude).toBeCloseTo(10.05);
  expect(sight.latitude).toBeCloseTo(50.05);
  const width = (0.1 / 360) * 512 * 2 ** sight.zoom;
  expect(width).toBeGreaterThan(256);
  expect(width).toBeLessThanOrEqual(512);
});

test('where a map opens: on the first by name of several of one scale, in whatever order they come', () => {
  const cells = [cell('C', 12_000, 3, 4), cell('B', 12_000, 5, 6), cell('D', 12_000, 7, 8)];
  expect(firstSight(cells)).toEqual(firstSight([...cells].reverse()));
  expect(firstSight(cells)!.longitude).toBeCloseTo(5.5);
});

test('where a map opens: on no chart that is refused or cancelled', () => {
  const refused = { ...cell('A', 4000, 0, 1), status: 'refused' };
  expect(firstSight([refused, cell('B', 90_000, 10, 11)])!.longitude).toBeCloseTo(10.5);
  expect(firstSight([refused])).toBeUndefined();
  expect(firstSight([])).toBeUndefined();
});

test('where a map opens: across 180° on the water between, and not half the world away', () => {
  const { longitude, zoom } = firstSight([cell('A', 12_000, 179.9, -179.9)])!;
  expect(Math.abs(longitude)).toBeGreaterThan(179.9);
  expect(zoom).toBeGreaterThan(9);
});
