// The faces between random lines: they fill the frame, do not overlap, and contain their label position.

import { expect, test } from 'vitest';
import { isPointInRing } from '../../../shared/geo/ring.ts';
import type { Position } from '../../../shared/s57/write/cell-builder.ts';
import { signedArea } from '../../../tiles-build/demo/terrain/curves.ts';
import { type Face, facesBetween } from '../../../tiles-build/demo/terrain/faces.ts';
import { type PartingLine, splitLines } from '../../../tiles-build/demo/terrain/split-lines.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIDE = 100_000;
const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const FRAME: PartingLine = { positions: box(0, 0, SIDE, SIDE) };

const facesOf = (...lines: PartingLine[]): Face[] => facesBetween(splitLines([FRAME, ...lines]));
const areaOf = ({ rings }: Face) => rings.reduce((sum, ring) => sum + signedArea(ring), 0);
const holds = ({ rings }: Face, [x, y]: Position) =>
  rings.filter((ring) => isPointInRing(x, y, ring.flat())).length % 2 === 1;

test('facesBetween finds the higher side of a line', () => {
  const across: Position[] = [
    [0, 30_000],
    [SIDE, 30_000],
  ];
  const faces = facesOf({ positions: across, level: 4 });
  // The line runs east: higher ground, with one level more below it, is north.
  const bands = faces.map((face) => [areaOf(face), face.band]).sort();
  expect(bands).toEqual([
    [0.3 * SIDE * SIDE, 4],
    [0.7 * SIDE * SIDE, 5],
  ]);
});

test('facesBetween makes an island a hole of its surroundings', () => {
  const faces = facesOf({ positions: box(20_000, 20_000, 40_000, 40_000), level: 0 });
  expect(faces.map(({ rings }) => rings.length).sort()).toEqual([1, 2]);
  expect(faces.reduce((sum, face) => sum + areaOf(face), 0)).toBe(SIDE * SIDE);
});

test('facesBetween separates outlines that share a side', () => {
  const faces = facesOf(
    { positions: box(20_000, 20_000, 40_000, 40_000) },
    { positions: box(40_000, 10_000, 60_000, 50_000) },
  );
  expect(faces).toHaveLength(3);
  expect(faces.reduce((sum, face) => sum + areaOf(face), 0)).toBe(SIDE * SIDE);
});

test('facesBetween of random rings fill the frame without overlap', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = seededRandom(seed);
    const at = () => Math.round((0.05 + 0.9 * random()) * SIDE);
    const lines = Array.from({ length: 9 }, (): PartingLine => {
      const ring = Array.from({ length: 3 + Math.floor(4 * random()) }, (): Position => {
        return [at(), at()];
      });
      return { positions: [...ring, ring[0]!] };
    });
    const faces = facesOf(...lines);
    expect(faces.length, `seed ${seed}`).toBeGreaterThan(20);
    // Crossings are rounded to whole units, so only the sum of the areas is exact.
    const filled = faces.reduce((sum, face) => sum + areaOf(face), 0);
    expect(Math.abs(filled - SIDE * SIDE), `seed ${seed}`).toBeLessThan(1);
    for (const face of faces.filter((one) => areaOf(one) > SIDE)) {
      const around = faces.filter((other) => holds(other, face.inside));
      const isOwn = around.length === 1 && around[0] === face;
      expect(isOwn, `seed ${seed} at ${face.inside}`).toBe(true);
    }
  }
});
