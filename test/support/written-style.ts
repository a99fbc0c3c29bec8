// Style documents of the service with addresses that tests do not request.

import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { LRUCache } from 'lru-cache';
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
  reports: 'https://charts.example/reports/{z}/{x}/{y}.mvt',
  satellite: { template: 'https://imagery.example/{z}/{x}/{y}.jpg' },
};

const styles = new LRUCache<string, StyleSpecification>({ max: 40 });

/** The style document for some options, with defaults for the others. Equal options may share a document. */
export function styleWith(options: Partial<StyleOptions> = {}): StyleSpecification {
  const key = JSON.stringify(options);
  const style =
    styles.get(key) ??
    buildStyle({
      options: { ...DEFAULT_OPTIONS, ...options },
      addresses: ADDRESSES,
      chart: CHART,
    });
  styles.set(key, style);
  return style;
}

/** A layer of that document. */
export function layerWith(id: string, options: Partial<StyleOptions> = {}): LayerSpecification {
  const layer = styleWith(options).layers.find((one) => one.id === id);
  if (layer === undefined) throw new Error(`The style has no layer ${id}.`);
  return layer;
}
