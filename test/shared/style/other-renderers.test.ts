// The style documents are valid for the older specification of Mapbox GL JS, so that other renderers can read
// them. (test/e2e/examples.browser.test.ts draws one with OpenLayers.)

import { validate } from '@mapbox/mapbox-gl-style-spec';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { buildRasterStyle } from '../../../shared/style/document/build-style.ts';
import { DEPTH_UNITS, STYLE_PARAMETERS, THEMES } from '../../../shared/style/options.ts';
import { ADDRESSES, CHART, styleWith } from '../../support/written-style.ts';

const faultsOf = (style: StyleSpecification): readonly string[] =>
  validate(structuredClone(style)).map(({ message }) => message);

describe('the validator of Mapbox GL JS', () => {
  test('accepts every theme, unit and kind of maritime boundaries', () => {
    for (const theme of THEMES) {
      for (const depthUnits of DEPTH_UNITS) {
        for (const showMaritimeBoundaries of STYLE_PARAMETERS.showMaritimeBoundaries.values) {
          const style = styleWith({ theme, depthUnits, showMaritimeBoundaries });
          expect(faultsOf(style), `${theme} ${depthUnits} ${showMaritimeBoundaries}`).toEqual([]);
        }
      }
    }
  });

  test.each([
    ['rounded soundings', { roundOffSoundings: true }],
    ['imagery', { showSatellite: true, maskLandAreas: true }],
    ['reports', { showUserReports: true }],
    ['another font', { font: 'Own Sans' }],
    ['a deep safety contour', { depthLimit: 30 }],
  ] as const)('accepts %s', (_, options) => {
    expect(faultsOf(styleWith(options))).toEqual([]);
  });

  test('accepts the raster style', () => {
    expect(faultsOf(buildRasterStyle(ADDRESSES.tiles, CHART))).toEqual([]);
  });

  test('rejects a newer expression', () => {
    const style = styleWith({});
    const layers = style.layers.map((layer) =>
      layer.id === 'background'
        ? { ...layer, paint: { 'background-color': ['global-state', 'color'] } }
        : layer,
    );
    const newer = { ...style, layers } as StyleSpecification;
    expect(faultsOf(newer)).not.toEqual([]);
  });
});
