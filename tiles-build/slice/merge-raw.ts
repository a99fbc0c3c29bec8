// Raw fragments of one tile to its GeoJSON document. A fragment is text, one feature a line; lines of
// features with points on the border of two cells begin with a mark, as both cells may hold them.

import { foidPart } from '../../shared/s57/vocabulary/feature-id.ts';
import { type FittedRaw, fitRaw, NOT_DRAWN, type RawLimits } from './fit-raw.ts';

/** Begins the line of a feature that has points on a border. */
export const ON_BORDER = '\t';

interface PointFeature {
  readonly id: string;
  readonly properties: { readonly layerId: string; readonly attributes: unknown };
  readonly geometry:
    | { readonly type: 'Point'; readonly coordinates: readonly number[] }
    | { readonly type: 'MultiPoint'; readonly coordinates: readonly (readonly number[])[] };
}

const decoder = new TextDecoder();

/**
 * A FeatureCollection of all fragments, in their order, with a line for each feature, of no more than
 * `MAX_RAW_BYTES` (see `fitRaw`; `leftOut` counts what it left out, where it did). Points that
 * two cells brought from their common border stand once: the same object, or the same class with
 * the same attributes (of soundings, the same depth) at the same place.
 */
export function mergeRaw(fragments: readonly Uint8Array[], limits?: RawLimits): FittedRaw {
  const seen = new Set<string>();
  const lines: string[] = [];
  for (const fragment of fragments) {
    // Within one cell nothing is a repetition.
    const found: string[] = [];
    for (const marked of decoder.decode(fragment).split('\n')) {
      const mark = marked.startsWith(NOT_DRAWN) ? NOT_DRAWN : '';
      const line = marked.slice(mark.length);
      if (!line.startsWith(ON_BORDER)) {
        lines.push(marked);
        continue;
      }
      const feature = withoutSeen(JSON.parse(line.slice(ON_BORDER.length)), seen, found);
      if (feature !== undefined) lines.push(mark + JSON.stringify(feature));
    }
    for (const key of found) seen.add(key);
  }
  return fitRaw(lines, limits);
}

function withoutSeen(
  feature: PointFeature,
  seen: ReadonlySet<string>,
  found: string[],
): PointFeature | undefined {
  const { id, properties, geometry } = feature;
  if (properties.layerId === 'SOUNDG' && geometry.type === 'MultiPoint') {
    const coordinates = geometry.coordinates.filter((position) => {
      const key = `SOUNDG ${position.join()}`;
      found.push(key);
      return !seen.has(key);
    });
    return coordinates.length === 0
      ? undefined
      : { ...feature, geometry: { ...geometry, coordinates } };
  }
  const place = JSON.stringify(geometry.coordinates);
  const keys = [`${foidPart(id)} ${place}`, `${JSON.stringify(properties)} ${place}`];
  for (const key of keys) found.push(key);
  return keys.some((key) => seen.has(key)) ? undefined : feature;
}
