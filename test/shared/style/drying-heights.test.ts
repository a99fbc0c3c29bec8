// Drying heights are underlined: a line as long as the whole number, below it and not below the
// small digit, nor below the space beside it. Held against the widths of the glyphs themselves.

import { createExpression } from '@maplibre/maplibre-gl-style-spec';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Glyph, readGlyphRange } from '../../../shared/raster/glyphs.ts';
import { decimetres, feetRoundedDown } from '../../../shared/s57/vocabulary/depth-units.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS, DEPTH_UNITS, type StyleOptions } from '../../../shared/style/options.ts';
import { glyphRanges } from '../../../tiles-build/symbols/glyph-ranges.ts';
import { spriteImages } from '../../../tiles-build/symbols/sprite-images.ts';

const NOWHERE = 'https://nowhere.test/';
const SIZES = { 'SOUNDG-label': 11, 'UWTROC-depth': 10, 'OBSTRN-depth': 10, 'WRECKS-depth': 10 };
const widths = new Map(spriteImages('day').map(({ name, width }) => [name, width]));
let glyphs: ReadonlyMap<number, Glyph>;

beforeAll(async () => {
  const ranges = await glyphRanges('Noto Sans Regular');
  glyphs = new Map(ranges.flatMap(({ bytes }) => [...readGlyphRange(bytes)]));
}, 60_000);

/** What a layer says for a depth in metres. */
function sayings(id: string, options: Partial<StyleOptions>) {
  const style = buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: { tiles: NOWHERE, sprite: NOWHERE, glyphs: NOWHERE, reports: NOWHERE },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
  });
  const layout = style.layers.find((layer) => layer.id === id)!.layout as Record<string, unknown>;
  return (property: string, depth: number): unknown => {
    const compiled = createExpression(layout[property], `${id}.${property}`);
    if (compiled.result === 'error') throw new Error(compiled.value.map(String).join('; '));
    const properties = { d: depth, dm: decimetres(depth), ft: feetRoundedDown(depth) };
    return compiled.value.evaluate({ zoom: 14 } as never, { type: 1, properties } as never);
  };
}

const cases = Object.entries(SIZES).flatMap(([id, size]) =>
  DEPTH_UNITS.map((depthUnits) => ({ id, size, depthUnits })),
);

describe.each(cases)('$id in $depthUnits', ({ id, size, depthUnits }) => {
  test.each([-0.1, -0.3, -1, -1.2, -3.4, -7, -10, -12.6, -14.9])(
    'a drying height of %d m is underlined below its whole number alone',
    (depth) => {
      const say = sayings(id, { depthUnits });
      const text = String(say('text-field', depth));
      const wholeNumber = text.replace(/[₀-₉]/g, '');
      const advance = (letters: string) =>
        [...letters].reduce((sum, one) => sum + glyphs.get(one.codePointAt(0)!)!.advance, 0);
      const scale = size / 24;
      const left = (-advance(text) / 2) * scale;
      const right = left + advance(wholeNumber) * scale;
      const width = widths.get(String(say('icon-image', depth)))!;
      const [x] = say('icon-offset', depth) as [number, number];
      // Within a pixel of the digits' own ends.
      expect(Math.abs(x - width / 2 - left)).toBeLessThan(1);
      expect(Math.abs(x + width / 2 - right)).toBeLessThan(1);
    },
  );

  test('depths have no line', () => {
    const say = sayings(id, { depthUnits });
    for (const depth of [0, 0.1, 1.2, 10.4]) expect(say('icon-image', depth)).toBe('');
  });
});

test('a drying height fades in together with its line', () => {
  const { layers } = buildStyle({
    options: DEFAULT_OPTIONS,
    addresses: { tiles: NOWHERE, sprite: NOWHERE, glyphs: NOWHERE, reports: NOWHERE },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
  });
  for (const id of Object.keys(SIZES)) {
    const paint = layers.find((layer) => layer.id === id)!.paint as Record<string, unknown>;
    expect(paint['icon-opacity'], id).toEqual(paint['text-opacity']);
  }
});

test('a drying height is never written without its line: both are one symbol', () => {
  const say = sayings('SOUNDG-label', {});
  expect(say('icon-image', -1.2)).not.toBe('');
  for (const depthLimit of [-5, 0, 3]) {
    const image = String(sayings('SOUNDG-label', { depthLimit })('icon-image', -1.2));
    expect(image, `${depthLimit}`).toBe(depthLimit < -1.2 ? 'SNDDRY11' : 'SNDDRY21');
  }
});
