// Colour reduction of tiles.

import { expect, test } from 'vitest';
import type { IndexedRows } from '../../../shared/raster/png.ts';
import { barePainter } from '../../support/canvas.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIDE = 256;
const PIXELS = SIDE * SIDE;
const painter = barePainter();

/** Index per pixel and colours of an image. */
function indexed(words: Uint32Array): { palette: Uint8Array; indices: Uint8Array } {
  const { palette, rows, bits }: IndexedRows = painter.reduce(new Uint8ClampedArray(words.buffer));
  const rowBytes = (SIDE * bits) / 8 + 1;
  const indices = Uint8Array.from({ length: PIXELS }, (_, pixel) => {
    const bit = (pixel % SIDE) * bits;
    const byte = rows[Math.floor(pixel / SIDE) * rowBytes + 1 + (bit >> 3)]!;
    return (byte >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
  });
  return { palette: palette.slice(), indices };
}

/** Clustered colours as in a chart: few frequent, most rare. */
function someColors(seed: number, spread: number): Uint32Array {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const inks = Array.from({ length: 12 }, () => [below(256), below(256), below(256)] as const);
  return Uint32Array.from({ length: PIXELS }, () => {
    const ink = inks[below(inks.length)]!;
    const part = (value: number) =>
      Math.min(255, Math.max(0, value + below(spread) - below(spread)));
    return random() < 0.3
      ? rgb(ink[0], ink[1], ink[2])
      : rgb(part(ink[0]), part(ink[1]), part(ink[2]));
  });
}

const rgb = (red: number, green: number, blue: number): number =>
  (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;

function distance(a: number, b: number): number {
  const red = (a & 255) - (b & 255);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = ((a >> 16) & 255) - ((b >> 16) & 255);
  return red * red + green * green + blue * blue;
}

test.each([
  [1, 2],
  [2, 4],
  [3, 12],
  [4, 90],
  [5, 255],
])(
  'keeps 224 frequent and 32 distant colours and replaces others by the nearest (image %i)',
  (seed, spread) => {
    const words = someColors(seed, spread);
    const { palette, indices } = indexed(words);
    const kept = Array.from({ length: palette.length / 3 }, (_, i) =>
      rgb(palette[3 * i]!, palette[3 * i + 1]!, palette[3 * i + 2]!),
    );
    const counts = new Map<number, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const frequent = [...counts.keys()].sort(
      (a, b) => counts.get(b)! - counts.get(a)! || (a & 0xffffff) - (b & 0xffffff),
    );
    const limit = counts.size <= 256 ? 256 : 224;
    expect(kept.slice(0, limit)).toEqual(frequent.slice(0, limit));
    const nearest = frequent.map(() => 3 * 256 ** 2);
    const errors = () => frequent.map((color, i) => Math.fround(counts.get(color)! * nearest[i]!));
    kept.forEach((other, i) => {
      if (i >= limit) {
        const all = errors();
        expect(all[frequent.indexOf(other)]).toBe(Math.max(...all));
      }
      frequent.forEach((color, j) => {
        nearest[j] = Math.min(nearest[j]!, distance(color, other));
      });
    });
    const nearestOf = new Map(frequent.map((color, i) => [color, nearest[i]!]));
    const wrong = words.findIndex(
      (word, i) => distance(word, kept[indices[i]!]!) !== nearestOf.get(word),
    );
    expect(wrong).toBe(-1);
  },
);

test('finds a near colour for every pixel of an image with only distinct colours', () => {
  const words = Uint32Array.from({ length: PIXELS }, (_, i) => rgb(i & 255, i >> 8, 0));
  const { palette, indices } = indexed(words);
  expect(palette.length).toBe(768);
  const worst = Math.max(
    ...[...indices].map((index, i) =>
      distance(rgb(i & 255, i >> 8, 0), rgb(palette[3 * index]!, palette[3 * index + 1]!, 0)),
    ),
  );
  expect(Math.sqrt(worst)).toBeLessThan(40);
});

test('keeps the only red of a small light among frequent greys and a magenta', () => {
  const words = Uint32Array.from({ length: PIXELS }, (_, i) => {
    if (i < 20) return rgb(238, 40, 40);
    if (i < 420) return rgb(200, 40, 160);
    const grey = (i % 300) >> 1;
    return rgb(grey, grey, grey + (i & 1));
  });
  const { palette, indices } = indexed(words);
  const far = words.findIndex((word, i) => {
    const at = 3 * indices[i]!;
    return distance(word, rgb(palette[at]!, palette[at + 1]!, palette[at + 2]!)) > 40 ** 2;
  });
  expect(far).toBe(-1);
});
