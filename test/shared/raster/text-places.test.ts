// Texts with several places, and icons that texts avoid.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { compileStyle } from '../../../shared/raster/compile-style.ts';
import type { Glyph } from '../../../shared/raster/glyphs.ts';
import { placeMarks } from '../../../shared/raster/place-marks.ts';
import { prepareBlock } from '../../../shared/raster/prepare-block.ts';
import { styleWith } from '../../support/written-style.ts';

/** Letters with a width of half an em. */
const GLYPHS: ReadonlyMap<number, Glyph> = new Map(
  Array.from({ length: 95 }, (_, i) => [
    i + 32,
    { code: i + 32, field: new Uint8Array(), width: 10, height: 17, left: 1, top: -9, advance: 12 },
  ]),
);

const LAYERS = {
  number: {
    'text-field': ['get', 'no'],
    'text-variable-anchor': ['right', 'left'],
    'text-offset': [1, 1],
  },
  name: {
    'text-field': ['get', 'nm'],
    'text-variable-anchor': ['right', 'left'],
    'text-offset': [1, 1],
    'icon-image': 'mark',
    'icon-allow-overlap': true,
    'icon-padding': 8,
  },
  mark: { 'icon-image': 'mark', 'icon-allow-overlap': true, 'icon-padding': 0 },
} as const;

/** A property `o` of a mark is its opacity, and that of its texts. */
const OPACITY = ['coalesce', ['get', 'o'], 1];

const STYLE = {
  version: 8,
  sources: { chart: { type: 'vector', tiles: ['https://nowhere.invalid/'] } },
  layers: Object.entries(LAYERS).map(([id, layout]) => ({
    id,
    type: 'symbol',
    source: 'chart',
    'source-layer': 'marks',
    layout: { 'text-font': ['f'], 'text-size': 10, 'text-padding': 0, ...layout },
    paint: { 'icon-opacity': id === 'name' ? 0 : OPACITY, 'text-opacity': OPACITY },
  })),
} as unknown as StyleSpecification;

interface MarkAt {
  readonly at: readonly [x: number, y: number];
  readonly nm: string;
  readonly no?: string;
  readonly o?: number;
}

/** Marks on a block of 512 pixels. */
function blockOf(marks: readonly MarkAt[]) {
  const features = marks.map(({ at, ...properties }) => ({
    type: 1 as const,
    properties,
    paths: [[...at]],
  }));
  return prepareBlock({
    layers: [{ name: 'marks', extent: 512, features }] as never,
    style: compileStyle(STYLE, 'chart'),
    zoom: 12,
    blockPixels: 512,
    glyphs: () => GLYPHS,
    iconSize: () => [14, 28],
  });
}

/** Texts by their start position, and icons, of these marks. */
function shownOf(marks: readonly MarkAt[]) {
  const block = blockOf(marks);
  const shown = placeMarks([{ block, left: 0, top: 0, isOwn: true }], 512);
  const texts: Record<string, number> = {};
  let icons = 0;
  for (const { mark, left } of shown) {
    if (mark.item.kind === 'icon') icons++;
    else texts[mark.item.text] = mark.item.x + left + mark.item.glyphs[0]!.x;
  }
  return { texts, icons };
}

describe('names next to marks', () => {
  test('use their first place if it is free', () => {
    const { texts, icons } = shownOf([{ at: [100, 100], nm: 'abcd', no: '9' }]);
    // Four letters of 5 pixels that end 10 pixels before the mark.
    expect(texts).toEqual({ abcd: 70 });
    expect(icons).toBe(1);
  });

  test('use the other side if a mark is in the way', () => {
    const { texts } = shownOf([
      { at: [100, 100], nm: 'abcd' },
      { at: [80, 100], nm: '' },
    ]);
    expect(texts).toEqual({ abcd: 110 });
  });

  test('are replaced by the number if the full name does not fit, or omitted', () => {
    const between = (far: number) =>
      shownOf([
        { at: [100, 100], nm: 'abcdefgh', no: '9' },
        { at: [100 - far, 100], nm: '' },
        { at: [100 + far, 100], nm: '' },
      ]);
    expect(between(30).texts).toEqual({ 9: 85 });
    expect(between(18)).toEqual({ texts: {}, icons: 3 });
  });

  test.each([
    [0, 110],
    [-0.4, 70],
  ])('keep clear of an icon with an opacity of %d: they begin at %d', (o, begin) => {
    const { texts, icons } = shownOf([
      { at: [100, 100], nm: 'abcd', no: '9' },
      { at: [80, 100], nm: 'unseen', no: '7', o },
    ]);
    expect(texts).toEqual({ abcd: begin });
    expect(icons).toBe(1);
  });

  test('replace the number of the mark', () => {
    expect(Object.keys(shownOf([{ at: [300, 300], nm: 'abc 9', no: '9' }]).texts)).toEqual([
      'abc 9',
    ]);
  });
});

describe('long names', () => {
  test('are shortened to 300 characters', () => {
    const { texts } = shownOf([{ at: [256, 256], nm: 'a '.repeat(5000) }]);
    expect(Object.keys(texts)).toEqual([`${'a '.repeat(150).slice(0, 299)}…`]);
  });

  test.each([
    ['shown if they reach no further than a tile', 46, 1],
    ['omitted if a tile border could cut them', 50, 0],
  ])('are %s', (_, letters, count) => {
    const { texts, icons } = shownOf([{ at: [256, 256], nm: 'a'.repeat(letters) }]);
    expect([Object.keys(texts).length, icons]).toEqual([count, 1]);
  });
});

describe('the weight of a block', () => {
  const weightOf = (...names: readonly string[]) =>
    blockOf(names.map((nm) => ({ at: [256, 256], nm }))).weight;

  test('includes the letters of each text, but only once if texts are equal', () => {
    const letters = weightOf('abcdefghij') - weightOf('a');
    expect(letters).toBeGreaterThan(9 * 6);
    expect(weightOf('abcdefghij', 'abcdefghij') - weightOf('a', 'a')).toBe(letters);
    expect(weightOf('abcdefghij', 'abcdefghik') - weightOf('a', 'b')).toBe(2 * letters);
  });

  test('has a limit, also for texts', () => {
    const names = Array.from({ length: 2500 }, (_, i) => `${i} ${'long name '.repeat(29)}`);
    expect(() => weightOf(...names)).toThrow(RangeError);
  });
});

describe('in the chart style', () => {
  /** Widths of two marks: a diamond and a square. */
  const WIDTHS = { BOYLAT14: 14, BOYLAT23: 18 } as const;
  type Symbol = keyof typeof WIDTHS;
  const style = compileStyle(styleWith(), 'chart');

  interface Buoy {
    readonly sy: Symbol;
    readonly x: number;
    readonly y: number;
  }

  /** Distance in pixels from the letters of a text to the image of a buoy. */
  function gap([left, top, right, bottom]: readonly number[], { sy, x, y }: Buoy): number {
    const half = WIDTHS[sy] / 2;
    const [dx, dy] = [
      Math.max(0, left! - x - half, x - half - right!),
      Math.max(0, top! - y - 14, y - 14 - bottom!),
    ];
    return Math.hypot(dx, dy);
  }

  /** Letters of the name of the first buoy. */
  function letters(buoys: readonly [Buoy, Buoy]): number[] | undefined {
    const features = buoys.map(({ sy, x, y }, i) => ({
      type: 1 as const,
      properties: { sy, ...(i === 0 ? { nm: 'Roads Buoy 6', no: '6' } : {}) },
      paths: [[x, y]],
    }));
    const block = prepareBlock({
      layers: [{ name: 'BOYLAT', extent: 512, features }] as never,
      style,
      zoom: 12,
      blockPixels: 512,
      glyphs: () => GLYPHS,
      iconSize: (image) => [WIDTHS[image as Symbol], 28],
    });
    const shown = placeMarks([{ block, left: 0, top: 0, isOwn: true }], 512);
    const text = shown.find(({ mark }) => mark.item.kind === 'text');
    if (text === undefined) return undefined;
    const [left, top, right, bottom] = text.mark.boxes.slice(0, 4) as [
      number,
      number,
      number,
      number,
    ];
    return [left + text.left + 1, top + text.top + 1, right + text.left - 1, bottom + text.top - 1];
  }

  test.each([
    ['BOYLAT14', 'BOYLAT23'],
    ['BOYLAT23', 'BOYLAT14'],
  ] as const)('no name of a %s is nearer to a %s, wherever that is', (sy, other) => {
    let shown = 0;
    for (let x = 160; x <= 340; x += 2) {
      for (let y = 190; y <= 310; y += 2) {
        const buoys = [
          { sy, x: 250, y: 250 },
          { sy: other, x, y },
        ] as const;
        const text = letters(buoys);
        if (text === undefined) continue;
        shown++;
        const [own, beside] = buoys.map((buoy) => gap(text, buoy));
        expect(own! - beside!, `${x}, ${y}`).toBeLessThan(0.5);
      }
    }
    expect(shown).toBeGreaterThan(1000);
  });
});
