// Layout of the query archive. Each tier of the quilt and each kind of record has its own world of
// buckets. The worlds lie side by side in one PMTiles archive that is eight times as wide as the
// world. Equal buckets of several layers are stored once.

import {
  bandForZoom,
  MAX_VECTOR_ZOOM,
  TIER_ZOOMS,
  type UsageBand,
} from '../chart/band-for-zoom.ts';
import type { Box } from '../geo/clip-box.ts';
import { mercatorX, mercatorY } from '../geo/mercator.ts';
import type { TileId } from '../geo/tile.ts';
import { GRID } from './record.ts';

/** Name of the archive's tileset in the manifest. */
export const QUERY_TILESET = 'enc-query-v1';

/**
 * `near`: the features within a bucket, for searching. `whole`: the complete geometries of features
 * that are too large to store in every bucket they touch. Each is in the bucket of its centre.
 */
export type BucketKind = 'near' | 'whole';

export interface BucketLayer {
  /** Number of the tier, from 0. */
  readonly tier: number;
  readonly kind: BucketKind;
}

/** Bucket zoom of each band's cells, chosen by density so that one bucket is about one read. */
const NEAR_ZOOM: Readonly<Record<UsageBand, number>> = { 1: 7, 2: 7, 3: 10, 4: 11, 5: 13, 6: 13 };
/** If a finer cell covers part of a bucket, the bucket is split down to this zoom. */
export const LAST_NEAR_ZOOM = 13;
/** Number of zooms by which buckets of whole geometries are deeper. Few contain more than one. */
const WHOLE_ZOOMS_DOWN = 2;
/** Deepest zoom of any bucket. */
export const FINEST_ZOOM = 15;

/** Possible bucket zooms of a `near` layer, deepest first. */
export const NEAR_ZOOMS: readonly number[] = Array.from(
  { length: LAST_NEAR_ZOOM - NEAR_ZOOM[1] + 1 },
  (_, i) => LAST_NEAR_ZOOM - i,
);

/** Possible bucket zooms of a `whole` layer. */
export const WHOLE_ZOOMS: readonly number[] = [...new Set(Object.values(NEAR_ZOOM))].map(
  (zoom) => zoom + WHOLE_ZOOMS_DOWN,
);

export const nearZoom = (band: UsageBand): number => NEAR_ZOOM[band];
export const wholeZoom = (band: UsageBand): number => NEAR_ZOOM[band] + WHOLE_ZOOMS_DOWN;

/** The tier that is shown at a zoom. */
export function tierNumber(zoom: number): number {
  return bandForZoom(zoom) - 1;
}

/** The most detailed chart everywhere. */
export const FINEST_LAYER: BucketLayer = { tier: tierNumber(16), kind: 'near' };
/** Rounding can leave gaps of centimetres between neighbouring areas: search this far, metres. */
export const GAP_METERS = 0.1;

/** Deepest zoom of each tier. Records that no zoom of a tier returns need not be stored for it. */
export const TIER_LAST_ZOOMS: readonly number[] = TIER_ZOOMS.map(
  (_, tier) => (TIER_ZOOMS[tier + 1] ?? MAX_VECTOR_ZOOM + 1) - 1,
);

/** The worlds form two rows (`near`, `whole`) of 2 to this power columns, with one tier each. */
export const WORLDS_ZOOM = 3;

/** The archive tile that stores a bucket of a layer. */
export function archiveTile({ tier, kind }: BucketLayer, { z, x, y }: TileId): TileId {
  const side = 2 ** z;
  return { z: z + WORLDS_ZOOM, x: x + tier * side, y: y + (kind === 'whole' ? side : 0) };
}

/** The kind of the bucket that an archive tile stores. */
export const kindOf = ({ z, y }: TileId): BucketKind =>
  y < 2 ** (z - WORLDS_ZOOM) ? 'near' : 'whole';

/** The tiles of a zoom that a box on the grid touches. The box's `top` is south. */
export function tilesOver({ left, right, top, bottom }: Box, z: number): TileId[] {
  const last = 2 ** z - 1;
  const clamped = (value: number) => Math.min(Math.max(Math.floor(value * 2 ** z), 0), last);
  const firstColumn = clamped(mercatorX(left / GRID));
  const lastColumn = clamped(mercatorX(right / GRID));
  const firstRow = clamped(mercatorY(bottom / GRID));
  const lastRow = clamped(mercatorY(top / GRID));
  const tiles: TileId[] = [];
  for (let x = firstColumn; x <= lastColumn; x++) {
    for (let y = firstRow; y <= lastRow; y++) tiles.push({ z, x, y });
  }
  return tiles;
}
