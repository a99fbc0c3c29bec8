// Compares the coverage of lines with counted sample points.

import { expect, test } from 'vitest';
import { barePainter, redsOf } from '../../support/canvas.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIDE = 256;
const RED = { red: 255, green: 0, blue: 0, alpha: 1 };
/** Sample points per side of a pixel. */
const POINTS = 6;

const painter = barePainter();

interface Line {
  readonly path: Float32Array;
  readonly width: number;
  readonly dashes?: readonly number[];
}

/** Coverage of each pixel, 0 to 255. */
function covered({ path, width, dashes = [] }: Line): Uint8Array {
  const look = { ink: RED, widthPixels: width, dashPixels: dashes };
  const hasRoundCaps = dashes.length === 0;
  return redsOf(painter, [{ kind: 'stroke', lines: [path], ...look, hasRoundCaps }]);
}

/** Where along a line a place lies nearest, in pixels from its beginning, and how far from it. */
function nearest(path: Float32Array, x: number, y: number): { along: number; away: number } {
  let best = { along: 0, away: Number.POSITIVE_INFINITY };
  let before = 0;
  for (let i = 0; i + 3 < path.length; i += 2) {
    const [x0, y0, x1, y1] = [path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!];
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length === 0) continue;
    const share = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length ** 2;
    const at = Math.min(1, Math.max(0, share));
    const away = Math.hypot(x - x0 - at * (x1 - x0), y - y0 - at * (y1 - y0));
    if (away < best.away) best = { along: before + at * length, away };
    before += length;
  }
  return best;
}

/** The share of a pixel's points that a line with round ends and bends, and with dashes, is over. */
function counted({ path, width, dashes = [] }: Line, pixel: number): number {
  const period = dashes.reduce((sum, length) => sum + length, 0);
  let inside = 0;
  for (let i = 0; i < POINTS ** 2; i++) {
    const x = (pixel % SIDE) + ((i % POINTS) + 0.5) / POINTS;
    const y = Math.floor(pixel / SIDE) + (Math.floor(i / POINTS) + 0.5) / POINTS;
    const { along, away } = nearest(path, x, y);
    if (away < width / 2 && (period === 0 || along % period < dashes[0]!)) inside++;
  }
  return inside / POINTS ** 2;
}

/** Of the pixels that either sees, how far both differ in the mean, and at the most. */
function difference(line: Line): { mean: number; most: number } {
  const pixels = covered(line);
  let [sum, seen, most] = [0, 0, 0];
  for (let i = 0; i < pixels.length; i++) {
    const [x, y] = [(i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5];
    // Unpainted pixels are checked near the line.
    if (pixels[i] === 0 && nearest(line.path, x, y).away > line.width / 2) continue;
    const off = Math.abs(pixels[i]! / 255 - counted(line, i));
    sum += off;
    seen++;
    most = Math.max(most, off);
  }
  return { mean: sum / seen, most };
}

/** Half a circle of segments of 1.5 pixels, like curves in charts. */
const CURVE = Float32Array.from({ length: 2 * 27 }, (_, i) => {
  const angle = ((i >> 1) * 1.5) / 12;
  return 20.3 + 12 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
});

test.each([1.5, 2, 3, 5])(
  'a curve of short segments, %f pixels wide, has a constant width',
  (width) => {
    const { mean, most } = difference({ path: CURVE, width });
    expect(mean).toBeLessThan(0.03);
    expect(most).toBeLessThan(0.2);
  },
);

test('lines with sharp bends cover everything within half their width', () => {
  const random = seededRandom(12);
  for (let round = 0; round < 6; round++) {
    const path = Float32Array.from({ length: 10 }, () => 10 + random() * 60);
    path.set(path.subarray(4, 6), 8);
    const { mean, most } = difference({ path, width: 2 + random() * 5 });
    expect(mean, `round ${round}`).toBeLessThan(0.07);
    expect(most, `round ${round}`).toBeLessThan(0.75);
  }
});

test('a bend between short segments has no hole', () => {
  const random = seededRandom(5);
  for (let round = 0; round < 40; round++) {
    const path = [60, 60];
    for (let i = 0; i < 24; i++) {
      path.push(path.at(-2)! + random() * 3 - 0.7, path.at(-2)! + random() * 3 - 0.7);
    }
    const line: Line = { path: Float32Array.from(path), width: 4 };
    const pixels = covered(line);
    for (let i = 0; i < path.length; i += 2) {
      const pixel = Math.floor(path[i + 1]!) * SIDE + Math.floor(path[i]!);
      expect(pixels[pixel], `round ${round}, corner ${i / 2}`).toBeGreaterThan(0.95 * 255);
    }
  }
});

test('dashes keep their phase on a line from far outside the tile', () => {
  const dashes = [7, 5];
  const path = Float32Array.of(-4000, 900, -35.25, 61, 120, 50.5, 200, 90, 2000, 95);
  const { mean } = difference({ path, width: 3, dashes });
  expect(mean).toBeLessThan(0.05);
});
