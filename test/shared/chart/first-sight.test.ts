import { expect, test } from 'vitest';
import { firstSight } from '../../../shared/chart/first-sight.ts';

const cell = (name: string, scaleDenominator: number, west: number, east: number) => ({
  name,
  scaleDenominator,
  bounds: [west, 50, east, 50 + ((east - west + 360) % 360)] as const,
  status: 'used',
});

test('firstSight returns the middle of the chart with the largest scale, at a zoom that shows it', () => {
  const sight = firstSight([cell('A', 90_000, 0, 1), cell('B', 12_000, 10, 10.1)])!;
  expect(sight.longitude).toBeCloseTo(10.05);
  expect(sight.latitude).toBeCloseTo(50.05);
  const width = (0.1 / 360) * 512 * 2 ** sight.zoom;
  expect(width).toBeGreaterThan(256);
  expect(width).toBeLessThanOrEqual(512);
});

test('firstSight returns the first by name of several with the same scale, in any order', () => {
  const cells = [cell('C', 12_000, 3, 4), cell('B', 12_000, 5, 6), cell('D', 12_000, 7, 8)];
  expect(firstSight(cells)).toEqual(firstSight([...cells].reverse()));
  expect(firstSight(cells)!.longitude).toBeCloseTo(5.5);
});

test('firstSight ignores refused and cancelled charts', () => {
  const refused = { ...cell('A', 4000, 0, 1), status: 'refused' };
  expect(firstSight([refused, cell('B', 90_000, 10, 11)])!.longitude).toBeCloseTo(10.5);
  expect(firstSight([refused])).toBeUndefined();
  expect(firstSight([])).toBeUndefined();
});

test('firstSight returns a place inside a chart across 180°', () => {
  const { longitude, zoom } = firstSight([cell('A', 12_000, 179.9, -179.9)])!;
  expect(Math.abs(longitude)).toBeGreaterThan(179.9);
  expect(zoom).toBeGreaterThan(9);
});
