// Style documents as the service writes them, with addresses that are not requested.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { buildStyle } from '../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS, type StyleOptions } from '../../shared/style/options.ts';

export const CHART = {
  bounds: [-180, -85, 180, 85],
  attribution: 'Somebody',
  buildId: 'b1',
} as const;
export const ADDRESSES = {
  tiles: 'https://charts.example/{z}/{x}/{y}.mvt',
  sprite: 'https://charts.example/sprites/day',
  glyphs: 'https://charts.example/fonts/{fontstack}/{range}.pbf',
  reports: 'https://charts.example/reports',
  satellite: { template: 'https://imagery.example/{z}/{x}/{y}.jpg' },
};

/** The style document for some options, with defaults for the others. */
export const styleWith = (options: Partial<StyleOptions>): StyleSpecification =>
  buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: ADDRESSES,
    chart: CHART,
  });
