// What leaves nothing in the tile.

import { SIDE } from '../paint/commands';

/** Farther outside than half a line's width and this, a line leaves nothing. */
const MARGIN_PIXELS: f64 = 2;

/** Whether a segment lies beyond one side of the tile, with a line's width around it. */
export function isOutside(x0: f64, y0: f64, x1: f64, y1: f64, halfWidth: f64): bool {
  const low = -halfWidth - MARGIN_PIXELS;
  const high = SIDE - low;
  return (
    (x0 < low && x1 < low) ||
    (x0 > high && x1 > high) ||
    (y0 < low && y1 < low) ||
    (y0 > high && y1 > high)
  );
}
