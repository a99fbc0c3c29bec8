// Pixels that the painter makes from given display lists.

import { expect, test } from 'vitest';
import type { DisplayItem, FillItem, Ink, TextItem } from '../../../shared/raster/display-list.ts';
import type { Glyph } from '../../../shared/raster/glyphs.ts';
import { type Artwork, Painter } from '../../../shared/raster/paint/paint.ts';
import type { SpriteImage } from '../../../shared/raster/sprite.ts';
import { startCanvas } from '../../support/canvas.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIDE = 256;
const BLACK: Ink = { red: 0, green: 0, blue: 0, alpha: 1 };
const WHITE: Ink = { red: 255, green: 255, blue: 255, alpha: 1 };

/** An image with all opacities, whose sides do not divide a tile. */
function someImage(width: number, height: number): SpriteImage {
  const random = seededRandom(width);
  const pixels = Uint8Array.from({ length: 4 * width * height }, () => Math.floor(random() * 256));
  return { width, height, pixels };
}

/** A letter that fills its em except for sloping sides. */
const LETTER: Glyph = {
  code: 65,
  field: Uint8Array.from({ length: 18 * 18 }, (_, i) =>
    Math.max(0, 255 - 24 * Math.max(Math.abs((i % 18) - 8.5), Math.abs(Math.floor(i / 18) - 8.5))),
  ),
  width: 12,
  height: 12,
  left: 0,
  top: 0,
  advance: 13,
};

function painterOf(image: SpriteImage = someImage(1, 1)): Painter {
  const artwork: Artwork = { images: () => image, glyphs: () => new Map([[65, LETTER]]) };
  return new Painter(artwork, startCanvas);
}

const box = (left: number, top: number, right: number, bottom: number) =>
  Float32Array.of(left, top, right, top, right, bottom, left, bottom);

const fill = (ring: Float32Array, ink: Ink | string, isSmooth = false): FillItem => ({
  kind: 'fill',
  rings: [ring],
  ink,
  isSmooth,
});

const text = (x: number, y: number, glyphX: number): TextItem => ({
  kind: 'text',
  text: 'A',
  font: 'any',
  sizePixels: 16,
  x,
  y,
  glyphs: [{ code: 65, x: glyphX, y: 0, turnDegrees: 0 }],
  ink: BLACK,
  halo: WHITE,
  haloPixels: 1,
});

/** A copy, because the painter reuses its pixels. */
function pixelsOf(painter: Painter, items: readonly DisplayItem[], originX = 0, originY = 0) {
  return painter.paint({ items, originX, originY }).slice();
}

test('a pattern is blended with the background and starts at the world’s corner', () => {
  const [width, height] = [13, 7];
  const image = someImage(width, height);
  const random = seededRandom(3);
  const ground: FillItem[] = Array.from({ length: 60 }, () => {
    const [left, top] = [Math.floor(random() * 240), Math.floor(random() * 240)];
    const color = () => Math.floor(random() * 256);
    const ink = { red: color(), green: color(), blue: color(), alpha: 1 };
    return fill(box(left, top, left + 60, top + 50), ink);
  });
  const [originX, originY] = [256 * 29_125, 256 * 38_497];
  const painter = painterOf(image);
  const before = pixelsOf(painter, ground);
  const pattern = fill(box(0, 0, SIDE, SIDE), 'pattern');
  const after = pixelsOf(painter, [...ground, pattern], originX, originY);
  let differing = 0;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const i = 4 * (y * SIDE + x);
      const j = 4 * (((originY + y) % height) * width + ((originX + x) % width));
      const opacity = image.pixels[j + 3]! / 255;
      for (let part = 0; part < 3; part++) {
        const under = before[i + part]!;
        const wanted = Math.round(under + (image.pixels[j + part]! - under) * opacity);
        if (after[i + part] !== wanted) differing++;
      }
    }
  }
  expect(differing).toBe(0);
});

test('rounding errors of a text’s position do not change its subpixel step', () => {
  // Two tiles compute the same position with different sums.
  const painter = painterOf();
  const paper = fill(box(0, 0, SIDE, SIDE), WHITE);
  let sumsThatDiffer = 0;
  const differing: number[] = [];
  for (let step = 0; step < 64; step++) {
    const point = 900 + step / 8;
    const away = 24 + (step % 24) / 24;
    const [one, other] = [point + away - 768, point - 768 + away];
    if (one !== other) sumsThatDiffer++;
    const glyphX = -(step % 24) / 24;
    const drawn = [one, other].map((x) => pixelsOf(painter, [paper, text(x, 100, glyphX)]));
    if (drawn[0]!.some((byte, i) => byte !== drawn[1]![i])) differing.push(step);
  }
  expect(sumsThatDiffer).toBeGreaterThan(10);
  expect(differing).toEqual([]);
});
