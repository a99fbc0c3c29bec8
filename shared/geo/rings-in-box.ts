// Rings that were cut to a box: how much of the box they cover, and whether any of it.

import type { Box, Flat } from './clip-box.ts';
import { doubleArea } from './ring.ts';

/** How much of a box rings cover, 1 for all: holes run the other way and take away. */
export function shareOfBox(rings: readonly Flat[], box: Box): number {
  const area = rings.reduce((sum, ring) => sum + doubleArea(ring), 0) / 2;
  return area / ((box.right - box.left) * (box.bottom - box.top));
}

/**
 * Whether rings cover nothing of the box that they were cut to, although some are left: a hole reaches
 * around the whole box, or a ring only touches it. No area is too small to count: a harbour is nothing
 * beside the world.
 */
export const coverNothing = (rings: readonly Flat[], box: Box): boolean =>
  runAlongBorder(rings, box) && shareOfBox(rings, box) < 0.5;

/**
 * Whether rings that were cut to a box are only its border: then the box is all within them or all
 * without. Cut corners are exactly on the border, so this holds however areas were rounded.
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
