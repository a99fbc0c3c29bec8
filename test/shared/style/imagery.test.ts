// Imagery below the chart: the built-in imagery, and imagery of a request.

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

test('the source of built-in imagery has a maximum zoom and an attribution', () => {
  expect(imageryWith({ showSatellite: true })).toEqual({
    type: 'raster',
    tileSize: 256,
    tiles: [BUILT_IN],
    maxzoom: 3,
    attribution: 'Made by X',
  });
  expect(imageryWith({})).toBeUndefined();
});

test('the source of imagery from a request has no maximum zoom', () => {
  expect(imageryWith({ showSatellite: true, satelliteTileUrl: OTHER })).toEqual({
    type: 'raster',
    tileSize: 256,
    tiles: [OTHER],
  });
});
