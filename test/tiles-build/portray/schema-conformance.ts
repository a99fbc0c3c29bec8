// Checks a feature made by portrayal: its layer is in the schema, and its geometry, the types of its
// properties and the names of its images are allowed.

import { type PropertyKey, TILE_PROPERTIES } from '../../../shared/chart/tile-properties.ts';
import { propertiesOf, sourceLayer } from '../../../shared/chart/tile-schema.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { allSymbolNames } from '../../support/symbol-names.ts';

const IMAGES: ReadonlySet<string> = new Set(allSymbolNames());
const IMAGE_KEYS: ReadonlySet<string> = new Set(['sy', 'sp', 'pt', 'i']);

/** The faults of a drawable as sentences; empty if it conforms. */
export function schemaFaults({ layer, geometry, properties, minZoom, key }: Drawable): string[] {
  const specified = sourceLayer(layer);
  if (specified === undefined) return [`${layer} is no source layer`];
  const faults: string[] = [];
  if (!specified.geometry.includes(geometry.type)) faults.push(`${layer} has no ${geometry.type}`);
  const allowed: ReadonlySet<string> = new Set(propertiesOf(specified));
  for (const [name, value] of Object.entries(properties)) {
    if (!allowed.has(name)) faults.push(`${layer} ${geometry.type} has no property ${name}`);
    else faults.push(...valueFaults(layer, name as PropertyKey, value));
  }
  if (!Number.isInteger(minZoom) || minZoom < 0) faults.push(`${layer} starts at zoom ${minZoom}`);
  if (key === '') faults.push(`${layer} has no key`);
  if (geometry.type === 'point' && !Number.isFinite(geometry.longitude + geometry.latitude)) {
    faults.push(`${layer} stands nowhere`);
  }
  return faults;
}

function valueFaults(layer: string, name: PropertyKey, value: unknown): string[] {
  const { type } = TILE_PROPERTIES[name];
  const isRight =
    type === 'text'
      ? typeof value === 'string' && value !== ''
      : type === 'flag'
        ? value === 1
        : Number.isFinite(value) && (type === 'number' || Number.isInteger(value));
  if (!isRight) return [`${layer} has ${name} ${JSON.stringify(value)}, which is no ${type}`];
  const isMissing = IMAGE_KEYS.has(name) && !IMAGES.has(String(value));
  return isMissing ? [`${layer} asks for the image ${value}, which is not drawn`] : [];
}
