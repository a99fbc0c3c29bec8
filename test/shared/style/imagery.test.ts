// Imagery below the chart: that which is built in, and other in its place.

import { expect, test } from 'vitest';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS, type StyleOptions } from '../../../shared/style/options.ts';

const BUILT_IN = 'https://charts.example/imagery/{z}/{x}/{y}.jpg';
const OTHER = 'https://imagery.example/{z}/{x}/{y}.jpg';

const imageryWith = (options: Partial<StyleOptions>) =>
  buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: {
      tiles: 'https://charts.example/{z}/{x}/{y}',
      sprite: 'https://charts.example/day',
      glyphs: 'https://charts.example/{fontstack}/{range}.pbf',
      reports: 'https://charts.example/reports',
      satellite: { template: BUILT_IN, maxZoom: 3, attribution: 'Made by X' },
    },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
  }).sources['satellite'];

test('imagery that is built in is not asked for deeper than it goes, and names its makers', () => {
  expect(imageryWith({ showSatellite: true })).toEqual({
    type: 'raster',
    tileSize: 256,
    tiles: [BUILT_IN],
    maxzoom: 3,
    attribution: 'Made by X',
  });
  expect(imageryWith({})).toBeUndefined();
});

test('imagery that a request names is asked for at every zoom', () => {
  expect(imageryWith({ showSatellite: true, satelliteTileUrl: OTHER })).toEqual({
    type: 'raster',
    tileSize: 256,
    tiles: [OTHER],
  });
});
