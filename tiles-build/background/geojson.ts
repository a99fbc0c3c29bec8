// Reads and validates GeoJSON background files. A file that is not a feature collection is an
// error; features with an unsuitable geometry are skipped.

import { readFileSync } from 'node:fs';
import * as z from 'zod';

export type Position = readonly number[];
export type Ring = readonly Position[];
/** Positions of a line, in order. */
export type Path = readonly Position[];

export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: Path }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly Path[] }
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

export interface GeoFeature {
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, unknown>>;
}

const collectionSchema = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      geometry: z.object({ type: z.string(), coordinates: z.unknown() }).nullable(),
      properties: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
});

/** Read the features of a file. @throws Error naming the file */
export function readGeoJson(path: string): readonly GeoFeature[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  return featuresOf(value, path);
}

/** Like `readGeoJson`, for a parsed value. */
export function featuresOf(value: unknown, from: string): readonly GeoFeature[] {
  const parsed = collectionSchema.safeParse(value);
  if (!parsed.success) throw new Error(`${from} is not a GeoJSON feature collection.`);
  return parsed.data.features.flatMap(({ geometry, properties }) =>
    geometry !== null && isKnown(geometry) ? [{ geometry, properties: properties ?? {} }] : [],
  );
}

/** The polygons of a geometry; empty for other types. */
export function polygonsOf(geometry: Geometry): readonly (readonly Ring[])[] {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
}

/** The paths of a geometry; empty for other types. */
export function pathsOf(geometry: Geometry): readonly Path[] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiLineString' ? geometry.coordinates : [];
}

/** Nesting depth of the coordinates of each geometry type. */
const DEPTHS: Readonly<Record<string, number>> = {
  Point: 1,
  LineString: 2,
  MultiLineString: 3,
  Polygon: 3,
  MultiPolygon: 4,
};

function isKnown(geometry: { type: string; coordinates?: unknown }): geometry is Geometry {
  const depth = DEPTHS[geometry.type];
  return depth !== undefined && isNested(geometry.coordinates, depth);
}

/** Whether arrays are nested to the given depth and end in two finite numbers. */
function isNested(value: unknown, depth: number): boolean {
  if (!Array.isArray(value)) return false;
  if (depth > 1) return value.every((inner) => isNested(inner, depth - 1));
  return Number.isFinite(value[0]) && Number.isFinite(value[1]);
}
