// Labels of contours. The label of the safety contour is bold.

import { createExpression, featureFilter } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { feetRoundedDown } from '../../../shared/s57/vocabulary/depth-units.ts';
import type { StyleOptions } from '../../../shared/style/options.ts';
import { layerWith } from '../../support/written-style.ts';

function layerOf(id: string, options: Partial<StyleOptions> = {}) {
  const found = layerWith(id, options);
  return { ...found, filter: 'filter' in found ? found.filter : undefined };
}

function textOf(id: string, properties: Record<string, number>, options: Partial<StyleOptions>) {
  const layout = layerOf(id, options).layout as Record<string, unknown>;
  const compiled = createExpression(layout['text-field'], id);
  if (compiled.result === 'error') throw new Error(compiled.value.map(String).join('; '));
  return compiled.value.evaluate({ zoom: 12 } as never, { type: 2, properties } as never);
}

describe('contour labels', () => {
  test('have letters of at least 11 pixels, as soundings have', () => {
    for (const id of ['DEPCNT-label', 'DEPEDGE-label']) {
      const layout = layerOf(id).layout as Record<string, number>;
      expect(layout['text-size'], id).toBeGreaterThanOrEqual(11);
    }
  });

  test('are bold only on the safety contour', () => {
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
    'for a safety depth of %d m mark the edge from %d m to %d m: %s',
    (limit, s, d, isLabelled) => {
      const { filter } = layerOf('DEPEDGE-label', { depthLimit: limit });
      const matches = featureFilter(filter as never, 'filter').filter({ zoom: 12 }, {
        type: 2,
        properties: { s, d },
      } as never);
      expect(matches).toBe(isLabelled);
    },
  );

  test('have the same text on the safety contour and on other contours, in every unit', () => {
    for (const d of [1, 1.8, 2, 3.6, 5, 5.4, 9.1, 10.9, 18.2, 20, 27.4, 36.5, 54.8, 91.4]) {
      const contour = { dm: Math.round(d * 10), ft: feetRoundedDown(d) };
      for (const depthUnits of ['meters', 'feet', 'fathoms'] as const) {
        const edge = textOf('DEPEDGE-label', { s: 0, d }, { depthUnits });
        expect(edge, `${d} ${depthUnits}`).toBe(textOf('DEPCNT-label', contour, { depthUnits }));
      }
    }
  });

  test('follow contours on land, and heights of points are next to the points', () => {
    const shows = (id: string, type: number) =>
      featureFilter(layerOf(id).filter as never, 'filter').filter({ zoom: 12 }, {
        type,
        properties: { tx: '50' },
      } as never);
    const [POINT, LINE] = [1, 2];
    const ids = ['LNDELV-contour', 'LNDELV-name'];
    expect(ids.map((id) => [shows(id, LINE), shows(id, POINT)])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(layerOf('LNDELV-contour').layout).toMatchObject({ 'symbol-placement': 'line' });
  });
});
