// The documents keep to what other renderers understand: they are valid for the older specification
// that Mapbox GL JS reads. (OpenLayers draws one in test/e2e/examples.browser.test.ts.)

import { validate } from '@mapbox/mapbox-gl-style-spec';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { buildRasterStyle } from '../../../shared/style/document/build-style.ts';
import { DEPTH_UNITS, STYLE_PARAMETERS, THEMES } from '../../../shared/style/options.ts';
import { ADDRESSES, CHART, styleWith } from '../../support/written-style.ts';

const faultsOf = (style: StyleSpecification): readonly string[] =>
  validate(structuredClone(style)).map(({ message }) => message);

describe('for the specification of Mapbox GL JS', () => {
  test('every theme, unit and kind of boundaries is valid', () => {
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
    ['imagery below', { showSatellite: true, maskLandAreas: true }],
    ['reports', { showUserReports: true }],
    ['another font', { font: 'Own Sans' }],
    ['a deep safety contour', { depthLimit: 30 }],
  ] as const)('%s: valid', (_, options) => {
    expect(faultsOf(styleWith(options))).toEqual([]);
  });

  test('the raster document is valid', () => {
    expect(faultsOf(buildRasterStyle(ADDRESSES.tiles, CHART))).toEqual([]);
  });

  test('the judge finds what is newer than it', () => {
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
