// The parts of the renderer with synthetic input.

import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import type { Glyph } from '../../../shared/raster/glyphs.ts';
import { lineAnchors } from '../../../shared/raster/line-anchors.ts';
import { encodePng } from '../../../shared/raster/png.ts';
import { shapeText } from '../../../shared/raster/shape-text.ts';
import { textAlong } from '../../../shared/raster/text-along.ts';
import { windowOf } from '../../../shared/raster/window.ts';
import { barePainter, redsOf } from '../../support/canvas.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIDE = 256;
const RED = { red: 255, green: 0, blue: 0, alpha: 1 };

const painter = barePainter();

/** Red values of an area without antialiasing on black. */
const flat = (rings: readonly Float32Array[]) =>
  redsOf(painter, [{ kind: 'fill', rings, ink: RED, isSmooth: false }]);

/** Letters with a width of 12 em units. */
const GLYPHS: ReadonlyMap<number, Glyph> = new Map(
  Array.from({ length: 95 }, (_, i) => [
    i + 32,
    { code: i + 32, field: new Uint8Array(), width: 10, height: 17, left: 1, top: -9, advance: 12 },
  ]),
);
const WISH = {
  sizePixels: 24,
  maxWidthEms: 10,
  letterSpacingEms: 0,
  lineHeightEms: 1.2,
  anchor: 'center',
  offsetEms: [0, 0],
} as const;

describe('areas without antialiasing', () => {
  test('cover each pixel exactly once if they share edges', () => {
    const random = seededRandom(7);
    for (let round = 0; round < (isLong ? 200 : 50); round++) {
      // A fan around a point, in which two pieces share every edge.
      const [cx, cy] = [random() * 300 - 20, random() * 300 - 20];
      const pieces = 5 + Math.floor(random() * 9);
      const angles = Array.from(
        { length: pieces },
        (_, i) => ((i + 0.6 * (random() - 0.5)) / pieces) * 2 * Math.PI,
      );
      const rim = angles.map((angle) => [cx + 900 * Math.cos(angle), cy + 900 * Math.sin(angle)]);
      const counts = new Uint8Array(SIDE * SIDE);
      for (let i = 0; i < rim.length; i++) {
        const [a, b] = [rim[i]!, rim[(i + 1) % rim.length]!];
        const ring = Float32Array.of(cx, cy, a[0]!, a[1]!, b[0]!, b[1]!);
        const filled = flat([i % 2 === 0 ? ring : reversed(ring)]);
        for (let pixel = 0; pixel < counts.length; pixel++) {
          if (filled[pixel] !== 0) counts[pixel]!++;
        }
      }
      expect(
        counts.every((count) => count === 1),
        `round ${round}`,
      ).toBe(true);
    }
  });

  test('are filled if they have very many edges', () => {
    const count = (ring: Float32Array) => flat([ring]).filter((red) => red !== 0).length;
    // A comb with teeth one pixel wide and as high as the tile.
    const comb = Array.from({ length: 400 }, (_, i) => {
      const x = 2 * (i % 100) + 10;
      return [x, 300, x, -10, x + 1, -10, x + 1, 300];
    }).flat();
    expect(count(Float32Array.from(comb))).toBe(100 * SIDE);
    expect(count(Float32Array.of(10, 10, 90, 10, 90, 90, 10, 90))).toBe(6400);
  });

  test('exclude their own holes, but not holes of other areas', () => {
    const outer = Float32Array.of(10, 10, 90, 10, 90, 90, 10, 90);
    const hole = Float32Array.of(30, 30, 30, 60, 60, 60, 60, 30);
    const over = Float32Array.of(40, 40, 50, 40, 50, 50, 40, 50);
    const count = (rings: Float32Array[]) => flat(rings).filter((red) => red !== 0).length;
    expect(count([outer, hole])).toBe(6400 - 900);
    expect(count([outer, hole, over])).toBe(6400 - 900 + 100);
  });
});

describe('antialiased shapes', () => {
  test('have a total coverage equal to their area', () => {
    const inside = fc.double({ min: 5, max: 250, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(inside, inside, inside, inside, inside, inside), (corners) => {
        const [ax, ay, bx, by, cx, cy] = corners;
        const area = Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
        const rings = [Float32Array.from(corners)];
        const reds = redsOf(painter, [{ kind: 'fill', rings, ink: RED, isSmooth: true }]);
        const sum = reds.reduce((all, red) => all + red / 255, 0);
        // Each edge pixel may lose 1/500, and 1/500 by rounding to bytes.
        const edge =
          Math.hypot(bx - ax, by - ay) +
          Math.hypot(cx - bx, cy - by) +
          Math.hypot(ax - cx, ay - cy);
        return Math.abs(sum - area) < 1 + edge / 100;
      }),
      { seed: 11, numRuns: isLong ? 300 : 100 },
    );
  });

  test('are covered in proportion to their dashes and do not affect the next shape', () => {
    const lines = [Float32Array.of(20, 128, 220, 128)];
    const look = { ink: RED, widthPixels: 4, hasRoundCaps: false };
    const drawn = (dashPixels: readonly number[]) =>
      redsOf(painter, [{ kind: 'stroke', lines, ...look, dashPixels }]).reduce(
        (sum, red) => sum + red / 255,
        0,
      );
    expect(drawn([])).toBeCloseTo(800, 0);
    expect(drawn([6, 4])).toBeCloseTo(480, 0);
    expect(drawn([])).toBeCloseTo(800, 0);
  });
});

describe('texts', () => {
  test('centres a single line on its anchor', () => {
    const { glyphs, left, right, top, bottom } = shapeText('abcd', GLYPHS, WISH);
    expect([left, right]).toEqual([-24, 24]);
    expect(top).toBeCloseTo(-14.4);
    expect(bottom).toBeCloseTo(14.4);
    expect(glyphs.map(({ x }) => x)).toEqual([-24, -12, 0, 12]);
  });

  test.each([[['aaaa bbbb cccc', 'dddd eeee']], [['Cable Area', '(Submarine)']]])(
    'breaks a long name into balanced lines, but not after a bracket: %j',
    (lines) => {
      const wish = { ...WISH, maxWidthEms: 6 };
      const { glyphs } = shapeText(lines.join(' '), GLYPHS, wish);
      const rows = new Map<number, string>();
      for (const { code, y } of glyphs) {
        rows.set(y, (rows.get(y) ?? '') + String.fromCodePoint(code));
      }
      expect([...rows.values()]).toEqual(lines);
    },
  );

  test.each([
    ['上海 12', 0],
    ['Шоал 3', 0],
    ['Bank → 12', 8],
  ])(
    'of %s draws %i letters: all or none, and signs without a glyph are skipped',
    (name, count) => {
      expect(shapeText(name, GLYPHS, WISH).glyphs).toHaveLength(count);
    },
  );

  test('moves the box according to anchor and offset', () => {
    const left = shapeText('ab', GLYPHS, { ...WISH, anchor: 'left', offsetEms: [1, 0] });
    expect([left.left, left.right]).toEqual([24, 48]);
    const top = shapeText('ab', GLYPHS, { ...WISH, anchor: 'top' });
    expect(top.top).toBe(0);
  });

  test('letters along a line are never upside down', () => {
    for (const line of [
      [0, 100, 200, 100],
      [200, 100, 0, 100],
    ]) {
      const shaped = shapeText('abc', GLYPHS, WISH);
      const anchor = { x: 100, y: 100, segment: 0, angle: line[0] === 0 ? 0 : Math.PI };
      const placed = textAlong(shaped, GLYPHS, 24, line, anchor)!;
      expect(placed.map(({ x }) => Math.round(x))).toEqual([-18, -6, 6]);
      expect(placed.every(({ turnDegrees }) => Math.abs(turnDegrees % 360) < 1e-9)).toBe(true);
    }
  });

  test('a line that is too short has no text', () => {
    const shaped = shapeText('abcdef', GLYPHS, WISH);
    const anchor = { x: 20, y: 0, segment: 0, angle: 0 };
    expect(textAlong(shaped, GLYPHS, 24, [0, 0, 40, 0], anchor)).toBeUndefined();
  });

  test('labels along a line keep their distance and avoid sharp bends', () => {
    const options = {
      spacingPixels: 100,
      lengthPixels: 40,
      sizePixels: 10,
      isText: true,
      maxBendRadians: 0.8,
      blockPixels: 512,
    };
    const straight = lineAnchors([10, 50, 500, 50], options);
    expect(straight.length).toBeGreaterThan(3);
    straight.slice(1).forEach((one, i) => {
      expect(one.x - straight[i]!.x).toBeCloseTo(100);
    });
    const zigzag = Array.from({ length: 50 }, (_, i) => [10 + 5 * i, i % 2 === 0 ? 50 : 58]).flat();
    expect(lineAnchors(zigzag, options)).toEqual([]);
  });
});

describe('files', () => {
  const file = (pixels: Uint8ClampedArray) =>
    PNG.sync.read(Buffer.from(encodePng(painter.reduce(pixels), SIDE, (b) => deflateSync(b))));

  test.each([1, 2, 3, 16, 17, 256])('preserve %i colours exactly', (colors) => {
    const random = seededRandom(colors);
    const palette = Array.from({ length: colors }, () => Math.floor(random() * 0xffffff));
    const pixels = new Uint8ClampedArray(SIDE * SIDE * 4);
    for (let i = 0; i < SIDE * SIDE; i++) {
      const color = palette[Math.floor(random() * colors)]!;
      pixels.set([color & 255, (color >> 8) & 255, color >> 16, 255], 4 * i);
    }
    expect(file(pixels).data.equals(Buffer.from(pixels))).toBe(true);
  });

  test('preserve frequent colours exactly and others approximately', () => {
    const random = seededRandom(5);
    const pixels = new Uint8ClampedArray(SIDE * SIDE * 4);
    for (let i = 0; i < SIDE * SIDE; i++) {
      // Half of the tile has one colour, the rest are blends of two.
      const t = i % 2 === 0 ? 1 : random();
      pixels.set([201 * t, 237 * t, 255 * t, 255], 4 * i);
    }
    const { data } = file(pixels);
    let worst = 0;
    for (let i = 0; i < data.length; i++) worst = Math.max(worst, Math.abs(data[i]! - pixels[i]!));
    expect([...data.subarray(0, 4)]).toEqual([201, 237, 255, 255]);
    expect(worst).toBeLessThan(6);
  });
});

test('windowOf contains one own block and a tile’s width around the tile', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 22 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (z, u, v) => {
        const tile = { z, x: Math.floor(u * 2 ** z), y: Math.floor(v * 2 ** z) };
        const { blocks, blockPixels, zoom } = windowOf(tile);
        const own = blocks.filter(({ isOwn }) => isOwn);
        const isWithin = ({ left, top }: { left: number; top: number }) =>
          left <= 0 && left + blockPixels >= SIDE && top <= 0 && top + blockPixels >= SIDE;
        const lefts = Math.min(...blocks.map(({ left }) => left));
        const rights = Math.max(...blocks.map(({ left }) => left + blockPixels));
        return (
          own.length === 1 &&
          isWithin(own[0]!) &&
          zoom === z - 1 &&
          lefts <= -SIDE &&
          rights >= 2 * SIDE
        );
      },
    ),
    { seed: 3, numRuns: 500 },
  );
});

function reversed(ring: Float32Array): Float32Array {
  const out: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) out.push(ring[i]!, ring[i + 1]!);
  return Float32Array.from(out);
}
