// Where the query archive keeps what: a world of buckets for every tier of the quilt and kind of
// record, side by side in one PMTiles archive eight times as wide as the world. Buckets that are
// equal on several layers are stored once.

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

/** The archive's tileset, as the manifest names it. */
export const QUERY_TILESET = 'enc-query-v1';

/**
 * `near`: what lies in a bucket, to be searched. `whole`: the whole geometry of those features that
 * are too large to stand in every bucket they touch, in the bucket of their middle.
 */
export type BucketKind = 'near' | 'whole';

export interface BucketLayer {
  /** Number of the tier, from 0. */
  readonly tier: number;
  readonly kind: BucketKind;
}

/** Zoom of the buckets of a band's cells: their features are so dense that one is a read's worth. */
const NEAR_ZOOM: Readonly<Record<UsageBand, number>> = { 1: 7, 2: 7, 3: 10, 4: 11, 5: 13, 6: 13 };
/** Where a finer cell takes part of a bucket's ground, the bucket is parted down to here. */
export const LAST_NEAR_ZOOM = 13;
/** So much finer are the buckets of whole geometries: few have more than one. */
const WHOLE_ZOOMS_DOWN = 2;
/** No bucket is finer. */
export const FINEST_ZOOM = 15;

/** Zooms that a layer of `near` may have buckets at, the finest first. */
export const NEAR_ZOOMS: readonly number[] = Array.from(
  { length: LAST_NEAR_ZOOM - NEAR_ZOOM[1] + 1 },
  (_, i) => LAST_NEAR_ZOOM - i,
);

/** Zooms that a layer of `whole` may have buckets at. */
export const WHOLE_ZOOMS: readonly number[] = [...new Set(Object.values(NEAR_ZOOM))].map(
  (zoom) => zoom + WHOLE_ZOOMS_DOWN,
);

export const nearZoom = (band: UsageBand): number => NEAR_ZOOM[band];
export const wholeZoom = (band: UsageBand): number => NEAR_ZOOM[band] + WHOLE_ZOOMS_DOWN;

/** The tier that shows at a zoom. */
export function tierNumber(zoom: number): number {
  return bandForZoom(zoom) - 1;
}

/** The greatest zoom of each tier: what no zoom of a tier answers with need not be kept for it. */
export const TIER_LAST_ZOOMS: readonly number[] = TIER_ZOOMS.map(
  (_, tier) => (TIER_ZOOMS[tier + 1] ?? MAX_VECTOR_ZOOM + 1) - 1,
);

/** The worlds of the tiers lie in a row of 2 to this power, in two rows: parts, and wholes. */
const COLUMN_ZOOMS = 3;

/** The archive's tile for a bucket of a layer. */
export function archiveTile({ tier, kind }: BucketLayer, { z, x, y }: TileId): TileId {
  const side = 2 ** z;
  return { z: z + COLUMN_ZOOMS, x: x + tier * side, y: y + (kind === 'whole' ? side : 0) };
}

/** Tiles of a zoom that a box on the grid touches; `top` is south. */
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
