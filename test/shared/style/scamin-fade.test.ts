// SCAMIN between whole zooms, computed like a renderer: it evaluates a filter at the whole zoom of a tile, and
// interpolates an opacity between its values at that zoom and the next.

import { createPropertyExpression, featureFilter, latest } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { IN_SCALE } from '../../../shared/style/expressions.ts';
import { fadeIn } from '../../../shared/style/scamin-fade.ts';
import { styleWith } from '../../support/written-style.ts';

const filter = featureFilter(IN_SCALE as never, 'filter');

/** Opacity of a feature on the screen. Tiles of zoom 16 are enlarged at higher zooms. */
function opacityAt(zoom: number, mz: number, expression: unknown = fadeIn()): number {
  const feature = { type: 1 as const, properties: { mz } };
  const tileZoom = Math.floor(zoom);
  if (!filter.filter({ zoom: tileZoom }, feature)) return 0;
  const compiled = createPropertyExpression(
    expression as never,
    'icon-opacity',
    latest.paint_symbol['icon-opacity'] as never,
  );
  if (compiled.result === 'error') throw new Error(JSON.stringify(compiled.value));
  const curve = compiled.value as unknown as {
    evaluate(globals: { zoom: number }, feature: object): number;
    interpolationFactor(zoom: number, lower: number, upper: number): number;
  };
  const [here, next] = [tileZoom, tileZoom + 1].map((z) => curve.evaluate({ zoom: z }, feature));
  const share = curve.interpolationFactor(zoom, tileZoom, tileZoom + 1);
  const opacity = here! + (next! - here!) * share;
  expect(opacity, `opacity of ${mz} at ${zoom}`).toBeLessThanOrEqual(1 + 1e-9);
  return Math.max(0, opacity);
}

const OWN_ZOOMS = [7.3, 9.1, 11.5, 12.7, 13.2, 13.9, 15.4, 17.5];

describe.each(OWN_ZOOMS)('a feature whose SCAMIN is zoom %d', (mz) => {
  test('appears at its zoom and becomes more opaque until the next whole zoom', () => {
    let before = 0.25;
    for (let step = 0; mz + step / 20 < Math.ceil(mz); step++) {
      const opacity = opacityAt(mz + step / 20, mz);
      expect(opacity, `zoom ${mz + step / 20}`).toBeGreaterThan(before);
      before = opacity;
    }
    expect(opacityAt(mz + 0.05, mz), 'just after its zoom').toBeGreaterThan(0.25);
  });

  test('has an opacity of 0.9 a quarter of a zoom later', () => {
    for (let zoom = mz + 0.25; zoom < mz + 2; zoom += 0.05) {
      expect(opacityAt(zoom, mz), `zoom ${zoom}`).toBeGreaterThan(0.9);
    }
  });

  test('is opaque from the next whole zoom', () => {
    for (const zoom of [Math.ceil(mz), Math.ceil(mz) + 0.4, Math.ceil(mz) + 3, 21.9]) {
      expect(opacityAt(zoom, mz)).toBeCloseTo(1, 9);
    }
  });

  test('is invisible a tenth of a zoom before, and at the whole zoom before', () => {
    for (let zoom = 0; zoom < mz - 0.11; zoom += 0.05) expect(opacityAt(zoom, mz)).toBe(0);
    if (mz % 1 > 0) expect(opacityAt(Math.floor(mz), mz)).toBe(0);
  });
});

test('a feature without SCAMIN is always visible', () => {
  for (const zoom of [0, 3.5, 16, 21]) expect(opacityAt(zoom, 0)).toBe(1);
});

test('a feature never exceeds the opacity of its layer', () => {
  expect(opacityAt(14.5, 13.5, fadeIn(0.3))).toBeCloseTo(0.3, 9);
  expect(opacityAt(13.7, 13.5, fadeIn(0.3))).toBeLessThan(0.3);
});

describe('texts', () => {
  const texts = styleWith({ showMaritimeBoundaries: 'full' }).layers.flatMap((layer) =>
    layer.type === 'symbol' && layer.layout?.['text-field'] !== undefined ? [layer] : [],
  );

  test.each(texts.map(({ id, ...layer }) => [id, layer] as const))(
    '%s fades in between whole zooms like a symbol',
    (id, layer) => {
      const properties = {
        mz: 10.3,
        nm: 'A',
        no: '1',
        tx: 'A',
        d: 5,
        dm: 50,
        sd: 1,
        s: 0,
        cls: 'SEAARE',
      };
      const isIn = (mz: number) =>
        [1, 2].some((type) =>
          featureFilter(layer.filter as never, id).filter(
            { zoom: 10 },
            { type: type as 1, properties: { ...properties, mz } },
          ),
        );
      // Clearances and names of areas are of one kind or the other.
      if (isIn(0)) expect(isIn(10.9)).toBe(true);
      const opacity = layer.paint?.['text-opacity'];
      expect(opacityAt(10.2, 10.4, opacity)).toBe(0);
      expect(opacityAt(10.8, 10.4, opacity)).toBeGreaterThan(0.9);
    },
  );
});
