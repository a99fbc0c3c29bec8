// Detects lines that are invisible in the tile.

import { SIDE } from '../paint/commands';

/** A line is invisible if its distance from the tile exceeds half its width plus this margin. */
const MARGIN_PIXELS: f64 = 2;

/** Whether a segment with its width lies beyond one side of the tile. */
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
