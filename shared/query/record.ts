// A feature as stored in the query archive. Coordinates are integers in 1/10,000,000 of a degree,
// longitude then latitude, as in S-57.

import type { Flat } from '../geo/clip-box.ts';
import type { TileId } from '../geo/tile.ts';

/** Units per degree. */
export const GRID = 1e7;

export interface QueryRecord {
  /** Object class code. */
  readonly classCode: number;
  /** Cell name and edition, `US5WA22M.40`. */
  readonly cell: string;
  readonly agency: number;
  readonly number: number;
  readonly subdivision: number;
  /** All attributes as JSON, keyed by lower-case acronym. */
  readonly attributes: string;
  readonly shape: RecordShape;
}

export type RecordShape =
  /** A point with a `depth` in metres is a sounding. */
  | { readonly type: 'point'; readonly x: number; readonly y: number; readonly depth?: number }
  | { readonly type: 'line'; readonly lines: readonly Flat[] }
  /** Polygons of an outer ring and holes. Rings do not repeat their first point. */
  | { readonly type: 'area'; readonly polygons: readonly (readonly Flat[])[] }
  | PartShape;

/** The part of a large line or area that lies in one bucket. */
export interface PartShape {
  readonly type: 'part';
  readonly of: 'line' | 'area';
  /** The parts of the line, or of the area's boundary, that lie in the bucket. */
  readonly lines: readonly Flat[];
  /** For an area: a place in the bucket, and whether it is inside the area. */
  readonly reference?: { readonly x: number; readonly y: number; readonly inside: boolean };
  /** The bucket with the whole geometry. */
  readonly home: TileId;
}
