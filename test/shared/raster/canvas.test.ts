// The WebAssembly canvas: failing instances, full memory and long paths. Pixels are compared by
// `isDeepStrictEqual`, as `toEqual` takes seconds for a tile.

import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { DisplayItem, StrokeItem } from '../../../shared/raster/display-list.ts';
import type { StartCanvas } from '../../../shared/raster/paint/canvas-exports.ts';
import { COMMAND_WORDS } from '../../../shared/raster/paint/commands.ts';
import { Painter } from '../../../shared/raster/paint/paint.ts';
import type { SpriteImage } from '../../../shared/raster/sprite.ts';
import { barePainter, startCanvas } from '../../support/canvas.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const GREEN = { red: 10, green: 200, blue: 30, alpha: 0.8 };

/** Numbered images of the given size. */
function someImages(side: number): (name: string) => SpriteImage {
  const known = new Map<string, SpriteImage>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const random = seededRandom(Number(name));
    const pixels = new Uint8Array(4 * side * side);
    for (let i = 0; i < pixels.length; i++) pixels[i] = 256 * random();
    const made = { width: side, height: side, pixels };
    known.set(name, made);
    return made;
  };
}

const iconsOf = (names: readonly string[]): DisplayItem[] =>
  names.map((image, i) => ({
    kind: 'icon',
    image,
    x: 20 + 30 * (i % 8),
    y: 20 + 30 * Math.floor(i / 8),
    turnDegrees: i % 2 === 0 ? undefined : 10 * i,
  }));

const listOf = (items: readonly DisplayItem[]) => ({ items, originX: 0, originY: 0 });

/** Starts instances. Those with the given indices trap on an unknown command. */
function startFailing(failing: readonly number[]): { start: StartCanvas; started: () => number } {
  let count = 0;
  const start: StartCanvas = () => {
    const canvas = startCanvas();
    const isFailing = failing.includes(count++);
    // Zeros after the written words are not a command.
    return isFailing
      ? { ...canvas, run: (words) => canvas.run(words + COMMAND_WORDS / 2) }
      : canvas;
  };
  return { start, started: () => count };
}

test('a tile is painted by a new instance after a trap', () => {
  const artwork = { images: someImages(24), glyphs: () => new Map() };
  const list = listOf(iconsOf(['1', '2', '3']));
  const sound = new Painter(artwork, startCanvas);
  const traps: unknown[] = [];
  const { start, started } = startFailing([0]);
  const painter = new Painter(artwork, start, (error) => traps.push(error));
  expect(isDeepStrictEqual(painter.paint(list), sound.paint(list))).toBe(true);
  expect(traps).toEqual([expect.any(WebAssembly.RuntimeError)]);
  const others = listOf(iconsOf(['3', '4']));
  expect(isDeepStrictEqual(painter.draw(others), sound.draw(others))).toBe(true);
  expect(started()).toBe(2);
});

test('paint throws after a second trap, and the next tile starts a new instance', () => {
  const artwork = { images: someImages(24), glyphs: () => new Map() };
  const list = listOf(iconsOf(['1', '2']));
  const painter = new Painter(artwork, startFailing([0, 1]).start);
  expect(() => painter.draw(list)).toThrow(WebAssembly.RuntimeError);
  const sound = new Painter(artwork, startCanvas);
  expect(isDeepStrictEqual(painter.draw(list), sound.draw(list))).toBe(true);
});

test('more images than fit into the memory are all painted', () => {
  // One megabyte each; two fit into the memory.
  const side = 500;
  const images = someImages(side);
  const names = ['1', '2', '3', '4', '5', '6', '1', '2'];
  const middle = (i: number) => side / 2 + 25 * i;
  const icons = names.map((image, i): DisplayItem => {
    return { kind: 'icon', image, x: middle(i), y: middle(i), turnDegrees: undefined };
  });
  const painter = new Painter({ images, glyphs: () => new Map() }, startCanvas);
  const pixels = painter.paint(listOf(icons));
  let worst = 0;
  for (let pixel = 0; pixel < pixels.length / 4; pixel++) {
    let red = 0;
    for (const [i, name] of names.entries()) {
      const [x, y] = [(pixel % 256) - 25 * i, Math.floor(pixel / 256) - 25 * i];
      const { pixels: own } = images(name)!;
      if (x < 0 || y < 0) continue;
      const at = 4 * (y * side + x);
      red = Math.round(red + ((own[at]! - red) * own[at + 3]!) / 255);
    }
    worst = Math.max(worst, Math.abs(red - pixels[4 * pixel]!));
  }
  expect(worst).toBeLessThanOrEqual(1);
});

test('an image that is larger than the memory is an error', () => {
  const image = { width: 1100, height: 1100, pixels: new Uint8Array(4 * 1100 ** 2) };
  const painter = new Painter({ images: () => image, glyphs: () => new Map() }, startCanvas);
  expect(() => painter.paint(listOf(iconsOf(['1'])))).toThrow('too large');
});

/** The path with each point repeated. */
const repeated = (path: readonly number[], times: number): Float32Array =>
  Float32Array.from(
    { length: path.length * times },
    (_, i) => path[2 * Math.floor(i / (2 * times)) + (i % 2)]!,
  );

test('a path longer than the buffer is painted correctly', () => {
  const corners = [30, 20, 220, 60.5, 180, 230.25, -40, 300, 90, 128, 10.75, 70];
  const times = Math.ceil(COMMAND_WORDS / corners.length) + 7;
  const items = (path: Float32Array): DisplayItem[] => [
    { kind: 'fill', rings: [path], ink: GREEN, isSmooth: false },
    { kind: 'fill', rings: [path], ink: GREEN, isSmooth: true },
    ...[[], [9, 4, 2]].map((dashPixels): StrokeItem => {
      const look = { widthPixels: 5, dashPixels, hasRoundCaps: true };
      return { kind: 'stroke', lines: [path], ink: GREEN, ...look };
    }),
  ];
  const many = repeated(corners, times);
  expect(many.length).toBeGreaterThan(COMMAND_WORDS);
  const painter = barePainter();
  const few = painter.paint(listOf(items(Float32Array.from(corners)))).slice();
  expect(isDeepStrictEqual(painter.paint(listOf(items(many))), few)).toBe(true);
});
