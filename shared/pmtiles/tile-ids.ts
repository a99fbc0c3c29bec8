// Tile ids on the Hilbert curve (PMTiles v3, section 4.1).

import { zxyToTileId } from 'pmtiles';
import type { TileId } from '../geo/tile.ts';

/** Ids of all descendants of a tile a number of zooms deeper: consecutive, in [from, to). */
export function idsBelow(
  { z, x, y }: TileId,
  zooms: number,
): { readonly from: number; readonly to: number } {
  const place = zxyToTileId(z, x, y) - zxyToTileId(z, 0, 0);
  const tiles = 4 ** zooms;
  const from = zxyToTileId(z + zooms, 0, 0) + place * tiles;
  return { from, to: from + tiles };
}
