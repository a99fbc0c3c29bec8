// What is written on contours: large enough to be read, and the safety contour's depth in bold.

import { createExpression, featureFilter } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { feetRoundedDown } from '../../../shared/s57/vocabulary/depth-units.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS, type StyleOptions } from '../../../shared/style/options.ts';

const NOWHERE = 'https://nowhere.test/';

function layerOf(id: string, options: Partial<StyleOptions> = {}) {
  const { layers } = buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: { tiles: NOWHERE, sprite: NOWHERE, glyphs: NOWHERE, reports: NOWHERE },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
  });
  const found = layers.find((layer) => layer.id === id)!;
  return { ...found, filter: 'filter' in found ? found.filter : undefined };
}

function textOf(id: string, properties: Record<string, number>, options: Partial<StyleOptions>) {
  const layout = layerOf(id, options).layout as Record<string, unknown>;
  const compiled = createExpression(layout['text-field'], id);
  if (compiled.result === 'error') throw new Error(compiled.value.map(String).join('; '));
  return compiled.value.evaluate({ zoom: 12 } as never, { type: 2, properties } as never);
}

describe('contours', () => {
  test('contours are labelled in letters of 10 pixels and more', () => {
    for (const id of ['DEPCNT-label', 'DEPEDGE-label']) {
      const layout = layerOf(id).layout as Record<string, number>;
      expect(layout['text-size'], id).toBeGreaterThanOrEqual(10);
    }
  });

  test('the safety contour’s depth is bold, and every other contour’s is not', () => {
    const font = (id: string) => (layerOf(id).layout as Record<string, string[]>)['text-font'];
    expect(font('DEPEDGE-label')).toEqual(['Noto Sans Bold']);
    expect(font('DEPCNT-label')).toEqual(['Noto Sans Regular']);
  });

  test.each([
    [3, 1.8, 3.6, true],
    [10, 9.1, 18.2, true],
    [3, 3.6, 5.4, false],
    [3, 0, 1.8, false],
    [-2, -5, -1, false],
  ])(
    'contours: with a safety depth of %d m the edge from %d m to %d m is labelled: %s',
    (limit, s, d, is) => {
      const { filter } = layerOf('DEPEDGE-label', { depthLimit: limit });
      const matches = featureFilter(filter as never, 'filter').filter({ zoom: 12 }, {
        type: 2,
        properties: { s, d },
      } as never);
      expect(matches).toBe(is);
    },
  );

  test('the safety contour is written as contours are, in every unit', () => {
    for (const d of [1, 1.8, 2, 3.6, 5, 5.4, 9.1, 10.9, 18.2, 20, 27.4, 36.5, 54.8, 91.4]) {
      const contour = { dm: Math.round(d * 10), ft: feetRoundedDown(d) };
      for (const depthUnits of ['meters', 'feet', 'fathoms'] as const) {
        const edge = textOf('DEPEDGE-label', { s: 0, d }, { depthUnits });
        expect(edge, `${d} ${depthUnits}`).toBe(textOf('DEPCNT-label', contour, { depthUnits }));
      }
    }
  });
});
