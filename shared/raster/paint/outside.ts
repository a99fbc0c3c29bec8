// What leaves nothing in the tile.

import { TILE_PIXELS } from '../display-list.ts';

/** Farther outside than half a line's width and this, a line leaves nothing. */
export const OUTSIDE_PIXELS = 2;

/** Whether a segment lies beyond one side of the tile, with a margin around it. */
export function isOutside(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  marginPixels: number,
): boolean {
  const low = -marginPixels;
  const high = TILE_PIXELS + marginPixels;
  return (
    (x0 < low && x1 < low) ||
    (x0 > high && x1 > high) ||
    (y0 < low && y1 < low) ||
    (y0 > high && y1 > high)
  );
}
