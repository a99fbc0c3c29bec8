import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { FLARE_SYMBOLS, PATTERN_SYMBOLS } from '../../../shared/chart/symbol-names.ts';
import { MARK_WIDTH, MARK_WIDTHS } from '../../../shared/style/layers/aids.ts';
import { THEMES } from '../../../shared/style/options.ts';
import { makeSpriteFiles, SPRITE_RATIOS } from '../../../tiles-build/symbols/asset-files.ts';
import { spriteImages } from '../../../tiles-build/symbols/sprite-images.ts';
import type { SpriteEntry } from '../../../tiles-build/symbols/sprite-picture.ts';
import { allSymbolNames } from '../../support/symbol-names.ts';

const files = makeSpriteFiles();

interface Sheet {
  readonly index: Readonly<Record<string, SpriteEntry>>;
  readonly picture: PNG;
}

const sheets = new Map<string, Sheet>();

function sheetOf(theme: string, ratio: 1 | 2): Sheet {
  const base = ratio === 1 ? theme : `${theme}@2x`;
  const known = sheets.get(base);
  if (known !== undefined) return known;
  const text = new TextDecoder().decode(files.get(`${base}.json`));
  const index = JSON.parse(text) as Record<string, SpriteEntry>;
  const sheet = { index, picture: PNG.sync.read(Buffer.from(files.get(`${base}.png`)!)) };
  sheets.set(base, sheet);
  return sheet;
}

/** Sum of an image's alphas, in fully opaque pixels. */
function inkOf(picture: PNG, { x, y, width, height }: SpriteEntry): number {
  let sum = 0;
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      sum += picture.data[(row * picture.width + column) * 4 + 3]!;
    }
  }
  return sum / 255;
}

const SPRITES = THEMES.flatMap((theme) => SPRITE_RATIOS.map((ratio) => ({ theme, ratio })));

describe.each(SPRITES)('the $theme sprite at ratio $ratio', ({ theme, ratio }) => {
  const { index, picture } = sheetOf(theme, ratio);
  const entries = Object.entries(index);

  test('contains exactly the names that features can use', () => {
    expect(Object.keys(index).sort()).toEqual(allSymbolNames());
  });

  test('gives its ratio and has sizes in whole pixels at ratio 1', () => {
    for (const [name, entry] of entries) {
      expect(entry.pixelRatio, name).toBe(ratio);
      expect([entry.width % ratio, entry.height % ratio], name).toEqual([0, 0]);
      expect(Object.values(entry).every(Number.isInteger), name).toBe(true);
    }
  });

  test('has images inside the picture that do not overlap', () => {
    const taken = new Uint8Array(picture.width * picture.height);
    const overlapping = new Set<string>();
    for (const [name, { x, y, width, height }] of entries) {
      expect(x + width <= picture.width && y + height <= picture.height, name).toBe(true);
      for (let row = y; row < y + height; row++) {
        const [from, to] = [row * picture.width + x, row * picture.width + x + width];
        if (taken.subarray(from, to).includes(1)) overlapping.add(name);
        taken.fill(1, from, to);
      }
    }
    expect([...overlapping]).toEqual([]);
  });

  test('has no empty image', () => {
    for (const [name, entry] of entries) {
      expect(inkOf(picture, entry) / ratio ** 2, name).toBeGreaterThan(3);
    }
  });
});

test('has marks of the widths from which the distance of their names is computed', () => {
  const { index } = sheetOf('day', 1);
  const widths = Object.entries(MARK_WIDTHS).flatMap(([width, names]) =>
    names.split(' ').map((name) => [name, Number(width)] as const),
  );
  const expected = new Map(widths);
  const isMark = /^(?:BOY|BCN|LITFLT|LITVES)/;
  for (const [name, { width }] of Object.entries(index)) {
    if (!isMark.test(name) || name === 'BCNGEN03') continue;
    expect(width, name).toBe(expected.get(name.slice(0, 8)) ?? MARK_WIDTH);
  }
});

test('has flares that start at the lower edge of their image', () => {
  const { index, picture } = sheetOf('day', 1);
  for (const name of FLARE_SYMBOLS) {
    const { x, y, width, height } = index[name]!;
    const lowest = inkOf(picture, { ...index[name]!, x, y: y + height - 2, width, height: 2 });
    expect(lowest, name).toBeGreaterThan(0.5);
  }
});

test('an image at ratio 2 has twice the size and four times the ink', () => {
  const [one, two] = [sheetOf('day', 1), sheetOf('day', 2)];
  for (const [name, entry] of Object.entries(one.index)) {
    const twice = two.index[name]!;
    expect([twice.width, twice.height], name).toEqual([entry.width * 2, entry.height * 2]);
    const ratio = inkOf(two.picture, twice) / inkOf(one.picture, entry);
    // At ratio 1 the blurred edges of crossing strokes overlap.
    expect(Math.abs(ratio - 4), name).toBeLessThan(0.7);
  }
});

test('the pivot is the centre of a symbol and the foot of a flare', () => {
  for (const { name, kind, width, height, left, top } of spriteImages('day')) {
    if (kind === 'pattern') continue;
    expect([width % 2, height % 2], name).toEqual([0, 0]);
    const stands = (FLARE_SYMBOLS as readonly string[]).includes(name);
    expect([left, top], name).toEqual([-width / 2, stands ? -height : -height / 2]);
  }
});

test('no figure is cut off at the edge of its image', () => {
  const { index, picture } = sheetOf('day', 1);
  for (const [name, { x, y, width, height }] of Object.entries(index)) {
    if ((PATTERN_SYMBOLS as readonly string[]).includes(name)) continue;
    const frame = [
      { x, y, width, height: 1 },
      { x, y: y + height - 1, width, height: 1 },
      { x, y, width: 1, height },
      { x: x + width - 1, y, width: 1, height },
    ].map((side) => inkOf(picture, { ...side, pixelRatio: 1 }));
    // A figure may touch the edge; a stroke along or across it would leave more ink.
    expect(Math.max(...frame), name).toBeLessThan(Math.max(10, 0.95 * Math.max(width, height)));
  }
});

test('themes differ only in colour', () => {
  const [day, night] = [sheetOf('day', 1), sheetOf('night', 1)];
  expect(night.index).toEqual(day.index);
  const { x, y, width, height } = day.index['LIGHTS11']!;
  const middle = ((y + Math.round(height * 0.2)) * day.picture.width + x + width / 2) * 4;
  expect([...day.picture.data.subarray(middle, middle + 4)]).toEqual([0xea, 0x54, 0x71, 255]);
  expect([...night.picture.data.subarray(middle, middle + 4)]).toEqual([0x39, 0x0e, 0x16, 255]);
});

test.each(['TIDSTR01', 'TSSCRS51'])('%s points in no direction', (name) => {
  const { index, picture } = sheetOf('day', 2);
  const { x, y, width, height } = index[name]!;
  const inkAt = (from: number, to: number) =>
    inkOf(picture, { ...index[name]!, x, y: from, width, height: to - from });
  // As much ink in the upper as in the lower half.
  const middle = y + height / 2;
  expect(inkAt(y, middle) / inkAt(middle, y + height)).toBeCloseTo(1, 2);
});
