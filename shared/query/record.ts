// What the query archive keeps of a feature. Coordinates are whole numbers, 1/10,000,000 of a
// degree, longitude then latitude, as S-57 has them.

import type { Flat } from '../geo/clip-box.ts';
import type { TileId } from '../geo/tile.ts';

/** Units of a degree. */
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
  /** `depth` in metres: a sounding. */
  | { readonly type: 'point'; readonly x: number; readonly y: number; readonly depth?: number }
  | { readonly type: 'line'; readonly lines: readonly Flat[] }
  /** Polygons of an outer ring and holes; no ring repeats its first point. */
  | { readonly type: 'area'; readonly polygons: readonly (readonly Flat[])[] }
  | PartShape;

/** The part of a large line or area that lies in one bucket. */
export interface PartShape {
  readonly type: 'part';
  readonly of: 'line' | 'area';
  /** The line, or the boundary of the area, as far as it lies in the bucket. */
  readonly lines: readonly Flat[];
  /** Of an area: a place in the bucket, and whether the area holds it. */
  readonly reference?: { readonly x: number; readonly y: number; readonly inside: boolean };
  /** The bucket that keeps the whole geometry. */
  readonly home: TileId;
}
