// Compares clipped polygons with another polygon library.

import polygonClipping from 'polygon-clipping';
import { expect, test } from 'vitest';
import type { Box, Flat } from '../../../shared/geo/clip-box.ts';
import { clipPolygon } from '../../../shared/geo/clip-polygon.ts';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_126;
const BOX: Box = { left: 0, top: 0, right: 100, bottom: 100 };
const square = (from: number, to: number): Flat => [from, from, to, from, to, to, from, to];

/** A star-shaped ring around a place, which never crosses itself. */
function star(x: number, y: number, size: number, random: () => number): Flat {
  const corners = 5 + Math.floor(random() * 12);
  return Array.from({ length: corners }, (_, i) => {
    const reach = size * (0.4 + 0.6 * random());
    const angle = (2 * Math.PI * i) / corners;
    return [Math.round(x + reach * Math.cos(angle)), Math.round(y + reach * Math.sin(angle))];
  }).flat();
}

const areaOf = (polygon: readonly Flat[]) =>
  polygon.reduce((sum, ring, i) => sum + ((i === 0 ? 1 : -1) * Math.abs(doubleArea(ring))) / 2, 0);
const positions = (ring: Flat) =>
  Array.from({ length: ring.length / 2 }, (_, i): [number, number] => [
    ring[2 * i]!,
    ring[2 * i + 1]!,
  ]);

test('clipPolygon returns nothing if a hole surrounds the box', () => {
  expect(clipPolygon([square(-500, 500), square(-200, 200)], BOX)).toEqual([]);
});

test('clipPolygon returns the box if the polygon surrounds it', () => {
  const cut = clipPolygon([square(-500, 500)], BOX);
  expect(areaOf(cut)).toBe(100 * 100);
});

test('clipPolygon drops holes outside and keeps those inside', () => {
  const cut = clipPolygon([square(-500, 500), square(20, 30), square(300, 310)], BOX);
  expect(cut).toHaveLength(2);
  expect(areaOf(cut)).toBe(100 * 100 - 100);
});

test(`clipPolygon covers the same area as another library (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let round = 0; round < 2000; round++) {
    const [x, y] = [random() * 300 - 100, random() * 300 - 100];
    const outer = star(x, y, 20 + random() * 200, random);
    const hole = star(x, y, 8, random);
    const cut = clipPolygon([outer, hole], BOX);
    const expected = polygonClipping.intersection(
      polygonClipping.difference([positions(outer)], [positions(hole)]),
      [positions([0, 0, 100, 0, 100, 100, 0, 100])],
    );
    const area = expected
      .flatMap((rings) => areaOf(rings.map((ring) => ring.flat())))
      .reduce((a, b) => a + b, 0);
    expect(areaOf(cut), `round ${round}`).toBeCloseTo(area, 4);
  }
});
