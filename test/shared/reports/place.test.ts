// Positions on the curve: the key ranges of a box contain every position in it, separately for each kind.

import { expect, test } from 'vitest';
import { type Box, type BoxStretch, keyRangesOf, placeOf } from '../../../shared/reports/place.ts';
import { REPORT_KINDS, type ReportKind } from '../../../shared/reports/report.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const random = seededRandom(20_261_208);
const between = (low: number, high: number) => low + random() * (high - low);

const isFound = (
  kind: ReportKind,
  [longitude, latitude]: readonly number[],
  those: readonly BoxStretch[],
) => {
  const place = placeOf(kind, longitude!, latitude!);
  return those.some(
    ({ low, high, west, east }) =>
      place >= low && place <= high && longitude! >= west && longitude! <= east,
  );
};

function anyBox(): Box {
  const [west, south] = [between(-180, 180), between(-90, 90)];
  const size = 10 ** between(-4, 2.5);
  const far = west + Math.min(359, random() * size);
  const north = Math.min(90, south + random() * size);
  return { west, south, east: far > 180 ? far - 360 : far, north };
}

const pointIn = ({ west, south, east, north }: Box): [number, number] => {
  const longitude = west <= east ? between(west, east) : between(west, east + 360);
  return [longitude > 180 ? longitude - 360 : longitude, between(south, north)];
};

test('keyRangesOf contains every point of a box, including its corners', () => {
  const missed: string[] = [];
  for (let round = 0; round < 1000; round++) {
    const box = anyBox();
    const { west, south, east, north } = box;
    const corners = [
      [west, south],
      [east, north],
      [west, north],
      [east, south],
    ];
    const points = [...corners, ...Array.from({ length: 20 }, () => pointIn(box))];
    const ranges = keyRangesOf(box, REPORT_KINDS);
    for (const point of points) {
      const kinds = REPORT_KINDS.filter((kind) => !isFound(kind, point, ranges));
      if (kinds.length > 0) missed.push(JSON.stringify({ box, point, kinds }));
    }
  }
  expect(missed).toEqual([]);
});

test('keyRangesOf contains no other kinds', () => {
  const ranges = keyRangesOf({ west: -180, south: -90, east: 180, north: 90 }, ['accident']);
  const found = REPORT_KINDS.map((kind) => isFound(kind, [12.3, 45.6], ranges));
  expect(found).toEqual([false, true, false, false]);
});

test('keyRangesOf returns one range per kind, or two across 180°, without the other half of the globe', () => {
  expect(keyRangesOf({ west: 1, south: 1, east: 2, north: 2 }, REPORT_KINDS)).toHaveLength(4);
  const across = keyRangesOf({ west: 179, south: -1, east: -179, north: 1 }, REPORT_KINDS);
  expect(across).toHaveLength(8);
  const found = (longitude: number) => isFound('hazard', [longitude, 0], across);
  expect([179, 180, -180, -179].map(found)).toEqual([true, true, true, true]);
  expect([0, 90, -90, 170, -170].map(found)).toEqual([false, false, false, false, false]);
});

test('placeOf returns close numbers for positions of a harbour', () => {
  const places = Array.from({ length: 100 }, () =>
    placeOf('hazard', between(10.1, 10.2), between(50.1, 50.2)),
  );
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(1000);
});

test('placeOf returns a number in range for every position, including the poles', () => {
  for (const kind of REPORT_KINDS) {
    for (const [longitude, latitude] of [
      [-180, -90],
      [180, 90],
      [0, 0],
      [180, -90],
    ] as const) {
      const place = placeOf(kind, longitude, latitude);
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThanOrEqual(4_000_000);
    }
  }
});
