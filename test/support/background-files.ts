// Files of background folders: GeoJSON layers with the names of Natural Earth.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Ring = readonly (readonly [longitude: number, latitude: number])[];

export const boxRing = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

export const areaFeature = (rings: readonly Ring[], properties: object = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: rings },
});

export const lineFeature = (coordinates: Ring, properties: object = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates },
});

/** Write one layer of a background folder. */
export function writeLayer(folder: string, name: string, features: readonly object[]): void {
  mkdirSync(folder, { recursive: true });
  const collection = { type: 'FeatureCollection', features };
  writeFileSync(join(folder, `${name}.geojson`), JSON.stringify(collection));
}
