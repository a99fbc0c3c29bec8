// Whether a point is its owner's to show. Decided on the exact coordinates of the coverages, not on
// computed faces, so that no point is lost between two cells.

import { type Box, boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { sideOfRings } from '../../shared/geo/ring.ts';
import type { Face, Ownership } from '../quilt/ownership.ts';

export type OwnsPoint = (gridX: number, gridY: number) => boolean;

/**
 * A point on the border of a better cell stays with both, as either may be the one that holds it;
 * the merge keeps equal points once.
 */
export function pointOwner(ownership: Ownership, face: Face): OwnsPoint {
  const own = ownership.coverage;
  const better = face.better.map((rings) => ({ rings, box: boundsOf(rings) }));
  return (x, y) => {
    if (sideOfRings(x, y, own) < 0) return false;
    return !better.some(({ rings, box }) => isWithin(x, y, box) && isStrictlyInside(x, y, rings));
  };
}

const isWithin = (x: number, y: number, box: Box): boolean =>
  x > box.left && x < box.right && y > box.top && y < box.bottom;

const isStrictlyInside = (x: number, y: number, rings: readonly Flat[]): boolean =>
  sideOfRings(x, y, rings) > 0;
