// Compares the coverage of antialiased shapes with counted sample points.

import { expect, test } from 'vitest';
import type { StrokeItem } from '../../../shared/raster/display-list.ts';
import type { Painter } from '../../../shared/raster/paint/paint.ts';
import { barePainter, redsOf } from '../../support/canvas.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIDE = 256;
const RED = { red: 255, green: 0, blue: 0, alpha: 1 };
/** Sample points per side of a pixel. */
const POINTS = 8;

type Corner = readonly [x: number, y: number];

/** Red values of a shape painted on black. */
function drawn(painter: Painter, corners: readonly Corner[]): Uint8Array {
  const rings = [Float32Array.from(corners.flat())];
  return redsOf(painter, [{ kind: 'fill', rings, ink: RED, isSmooth: true }]);
}

/** Side of the line from a to b on which a point lies. */
const side = ([ax, ay]: Corner, [bx, by]: Corner, x: number, y: number): number =>
  Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));

function counted([a, b, c]: readonly [Corner, Corner, Corner], pixel: number): number {
  let inside = 0;
  for (let i = 0; i < POINTS * POINTS; i++) {
    const x = (pixel % SIDE) + ((i % POINTS) + 0.5) / POINTS;
    const y = Math.floor(pixel / SIDE) + (Math.floor(i / POINTS) + 0.5) / POINTS;
    const sides = side(a, b, x, y) + side(b, c, x, y) + side(c, a, x, y);
    if (Math.abs(sides) === 3) inside++;
  }
  return (255 * inside) / (POINTS * POINTS);
}

test('coverage of triangles across every border equals the share of sample points inside', () => {
  const random = seededRandom(21);
  const painter = barePainter();
  for (let round = 0; round < 12; round++) {
    const corner = (): Corner => [random() * 700 - 220, random() * 700 - 220];
    const corners = [corner(), corner(), corner()] as const;
    const pixels = drawn(painter, corners);
    // All pixels of some rows and of the columns at both borders.
    for (let i = 0; i < SIDE * SIDE; i++) {
      const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
      if (y % 23 !== 0 && x !== 0 && x !== SIDE - 1) continue;
      // Sampling is accurate to one row of points.
      const off = Math.abs(pixels[i]! - counted(corners, i));
      if (off > 255 / POINTS + 2) expect(off, `round ${round}, pixel ${x} ${y}`).toBeLessThan(0);
    }
  }
});

test('flat lines across the sides of the tile do not affect the next shape', () => {
  const random = seededRandom(4);
  const used = barePainter();
  const lines = Array.from({ length: 400 }, (_, round): StrokeItem => {
    const y = random() * 256;
    const tilt = (random() - 0.5) * 10 ** (1 - random() * 12);
    const within = 256 * random();
    const beyond = round % 2 === 0 ? -90 * random() : 256 + 90 * random();
    const line = Float32Array.of(within, y, beyond, y + tilt);
    const look = { ink: RED, widthPixels: 1, dashPixels: [], hasRoundCaps: false };
    return { kind: 'stroke', lines: [line], ...look };
  });
  redsOf(used, lines);
  // An edge through every pixel shows any remainder.
  const slivers = Array.from({ length: SIDE }, (_, row): Corner[] => [
    [0, row],
    [SIDE, row + 1],
    [0, row + 1],
  ]).flat();
  expect(drawn(used, slivers)).toEqual(drawn(barePainter(), slivers));
});
