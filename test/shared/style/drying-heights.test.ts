// Drying heights are underlined, and doubtful depths have a ring. The line is as long as the integer and is not below the small digit or the
// space before it. The tests compare it with the widths of the glyphs.

import { createExpression, type StyleExpression } from '@maplibre/maplibre-gl-style-spec';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Glyph, readGlyphRange } from '../../../shared/raster/glyphs.ts';
import { decimetres, feetRoundedDown } from '../../../shared/s57/vocabulary/depth-units.ts';
import { DEPTH_UNITS, type StyleOptions } from '../../../shared/style/options.ts';
import { glyphRanges } from '../../../tiles-build/symbols/glyph-ranges.ts';
import { spriteImages } from '../../../tiles-build/symbols/sprite-images.ts';
import { layerWith } from '../../support/written-style.ts';

const SIZES = { 'SOUNDG-label': 11, 'UWTROC-depth': 10, 'OBSTRN-depth': 10, 'WRECKS-depth': 10 };
const widths = new Map(spriteImages('day').map(({ name, width }) => [name, width]));
let glyphs: ReadonlyMap<number, Glyph>;

beforeAll(async () => {
  const ranges = await glyphRanges('Noto Sans Regular');
  glyphs = new Map(ranges.flatMap(({ bytes }) => [...readGlyphRange(bytes)]));
});

/** Evaluates layout properties of a layer for a depth in metres. */
function layoutFor(id: string, options: Partial<StyleOptions>) {
  const layout = layerWith(id, options).layout as Record<string, unknown>;
  const compiled = new Map<string, StyleExpression>();
  const compile = (property: string): StyleExpression => {
    const made = createExpression(layout[property], `${id}.${property}`);
    if (made.result === 'error') throw new Error(made.value.map(String).join('; '));
    return made.value;
  };
  return (property: string, depth: number, more: object = {}): unknown => {
    const expression = compiled.get(property) ?? compile(property);
    compiled.set(property, expression);
    const properties = { d: depth, dm: decimetres(depth), ft: feetRoundedDown(depth), ...more };
    return expression.evaluate({ zoom: 14 } as never, { type: 1, properties } as never);
  };
}

const cases = Object.entries(SIZES).flatMap(([id, size]) =>
  DEPTH_UNITS.map((depthUnits) => ({ id, size, depthUnits })),
);

describe.each(cases)('$id in $depthUnits', ({ id, size, depthUnits }) => {
  const layoutAt = layoutFor(id, { depthUnits });

  test.each([-0.1, -0.3, -1, -1.2, -3.4, -7, -10, -12.6, -14.9])(
    'underlines only the integer of a drying height of %d m',
    (depth) => {
      const text = String(layoutAt('text-field', depth));
      const wholeNumber = text.replace(/[₀-₉]/g, '');
      const advance = (letters: string) =>
        [...letters].reduce((sum, one) => sum + glyphs.get(one.codePointAt(0)!)!.advance, 0);
      const scale = size / 24;
      const left = (-advance(text) / 2) * scale;
      const right = left + advance(wholeNumber) * scale;
      const width = widths.get(String(layoutAt('icon-image', depth)))!;
      const [x] = layoutAt('icon-offset', depth) as [number, number];
      // Within a pixel of the ends of the digits.
      expect(Math.abs(x - width / 2 - left)).toBeLessThan(1);
      expect(Math.abs(x + width / 2 - right)).toBeLessThan(1);
    },
  );

  test('does not underline depths', () => {
    for (const depth of [0, 0.1, 1.2, 10.4]) expect(layoutAt('icon-image', depth)).toBe('');
  });
});

test.each(Object.keys(SIZES))('%s has a ring around a doubtful depth', (id) => {
  const layoutAt = layoutFor(id, {});
  const doubt = id === 'SOUNDG-label' ? { q: 1 } : { qs: 1 };
  const imageAt = (depth: number) => String(layoutAt('icon-image', depth, doubt));
  expect([4.2, -1.2, -12].map(imageAt)).toEqual(['SNDLOW', 'SNDLOW21', 'SNDLOW22']);
  expect(layoutAt('icon-offset', 4.2, doubt)).toEqual([0, 0]);
  // 2: swept by wire, which is not doubtful.
  expect(layoutAt('icon-image', 4.2, { q: id === 'SOUNDG-label' ? 2 : 1 })).toBe('');
  for (const depth of [4.2, -1.2, -12]) expect([...widths.keys()]).toContain(imageAt(depth));
});

test('fades in a drying height and its line together', () => {
  for (const id of Object.keys(SIZES)) {
    const paint = layerWith(id).paint as Record<string, unknown>;
    expect(paint['icon-opacity'], id).toEqual(paint['text-opacity']);
  }
});

test('shows a drying height and its line as one symbol', () => {
  expect(layoutFor('SOUNDG-label', {})('icon-image', -1.2)).not.toBe('');
  for (const depthLimit of [-5, 0, 3]) {
    const image = String(layoutFor('SOUNDG-label', { depthLimit })('icon-image', -1.2));
    expect(image, `${depthLimit}`).toBe(depthLimit < -1.2 ? 'SNDDRY11' : 'SNDDRY21');
  }
});
