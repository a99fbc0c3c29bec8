// How much of a box is covered by rings that were clipped to it.

import type { Box, Flat } from './clip-box.ts';
import { doubleArea } from './ring.ts';

/** Covered share of a box, from 0 to 1. Holes wind in the opposite direction and are subtracted. */
export function shareOfBox(rings: readonly Flat[], box: Box): number {
  const area = rings.reduce((sum, ring) => sum + doubleArea(ring), 0) / 2;
  return area / ((box.right - box.left) * (box.bottom - box.top));
}

/**
 * Whether clipped rings cover nothing of the box although some are left: a hole surrounds the box,
 * or a ring only touches it. There is no minimum area, because a harbour is tiny compared with the
 * world.
 */
export const coverNothing = (rings: readonly Flat[], box: Box): boolean =>
  runAlongBorder(rings, box) && shareOfBox(rings, box) < 0.5;

/**
 * Whether clipped rings only follow the border of the box, so that the box is either entirely
 * inside or entirely outside. Clipped corners are exactly on the border, so rounding does not
 * matter.
 */
export function runAlongBorder(rings: readonly Flat[], box: Box): boolean {
  return rings.every((ring) => {
    const n = ring.length;
    for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
      const x = ring[i]!;
      const y = ring[i + 1]!;
      const isLevel = y === ring[j + 1]! && (y === box.top || y === box.bottom);
      const isUpright = x === ring[j]! && (x === box.left || x === box.right);
      if (!isLevel && !isUpright) return false;
    }
    return true;
  });
}
