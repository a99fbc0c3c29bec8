// The documents keep to what other renderers understand: they are valid for the older specification
// that Mapbox GL JS reads. (OpenLayers draws one in test/e2e/examples.browser.test.ts.)

import { validate } from '@mapbox/mapbox-gl-style-spec';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { buildRasterStyle, buildStyle } from '../../../shared/style/document/build-style.ts';
import {
  DEFAULT_OPTIONS,
  DEPTH_UNITS,
  MARITIME_BOUNDARIES,
  type StyleOptions,
  THEMES,
} from '../../../shared/style/options.ts';

const CHART = {
  bounds: [-180, -85, 180, 85],
  attribution: 'Somebody',
  buildId: 'b1',
} as const;
const ADDRESSES = {
  tiles: 'https://charts.example/{z}/{x}/{y}.mvt',
  sprite: 'https://charts.example/sprites/day',
  glyphs: 'https://charts.example/fonts/{fontstack}/{range}.pbf',
  reports: 'https://charts.example/reports',
  satellite: 'https://imagery.example/{z}/{x}/{y}.jpg',
};

const styleWith = (options: Partial<StyleOptions>): StyleSpecification =>
  buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: ADDRESSES,
    chart: CHART,
  });

const faultsOf = (style: StyleSpecification): readonly string[] =>
  validate(structuredClone(style)).map(({ message }) => message);

describe('for the specification of Mapbox GL JS', () => {
  test('every theme, unit and kind of boundaries is valid', () => {
    for (const theme of THEMES) {
      for (const depthUnits of DEPTH_UNITS) {
        for (const showMaritimeBoundaries of MARITIME_BOUNDARIES) {
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
