// What cutting one owner gives: for each tile, that owner's part of it, in tile id order.

import { zxyToTileId } from 'pmtiles';

export interface Fragment {
  readonly tileId: number;
  readonly bytes: Uint8Array;
}

/** Tile id of a column that may run past the world's width. */
export function tileIdOf(zoom: number, column: number, row: number): number {
  const size = 2 ** zoom;
  return zxyToTileId(zoom, ((column % size) + size) % size, row);
}

export function inTileOrder(fragments: Fragment[]): Fragment[] {
  return fragments.sort((a, b) => a.tileId - b.tileId);
}

/**
 * A whole number of 53 bits from a text (FNV-1a, two of 32 bits with different seeds): feature ids
 * of vector tiles, equal between builds.
 */
export function numberFromKey(key: string): number {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x01000193) ^ (high >>> 15);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
