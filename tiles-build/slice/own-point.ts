// Decides whether an owner shows a point. It uses the exact coordinates of coverages instead of
// computed faces, so that no point is lost between two cells.

import { type Box, boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { sideOfRings } from '../../shared/geo/ring.ts';
import type { Face, Ownership } from '../quilt/ownership.ts';

export type OwnsPoint = (gridX: number, gridY: number) => boolean;

/** `border`: on the limit of the owner's coverage or of a better one. */
export type PlaceOfPoint = (gridX: number, gridY: number) => 'inside' | 'border' | 'elsewhere';

/**
 * A point on the border of a better cell is kept for both, because either may contain it; the merge
 * removes duplicates.
 */
export function placeOfPoint(ownership: Ownership, face: Face): PlaceOfPoint {
  const charted = placeWithin(ownership.charted, face.better);
  if (face.bare === undefined) return charted;
  const bare = placeWithin(face.bare.ground, face.bare.better);
  return (x, y) => {
    const place = charted(x, y);
    return place === 'elsewhere' ? bare(x, y) : place;
  };
}

function placeWithin(ground: readonly Flat[], others: readonly (readonly Flat[])[]): PlaceOfPoint {
  const better = others.map((rings) => ({ rings, box: boundsOf(rings) }));
  return (x, y) => {
    const side = sideOfRings(x, y, ground);
    if (side < 0) return 'elsewhere';
    let onBorder = side === 0;
    for (const { rings, box } of better) {
      if (!isWithin(x, y, box)) continue;
      const sideOfBetter = sideOfRings(x, y, rings);
      if (sideOfBetter > 0) return 'elsewhere';
      if (sideOfBetter === 0) onBorder = true;
    }
    return onBorder ? 'border' : 'inside';
  };
}

/** Whether the owner may show a point: see `placeOfPoint`. */
export function pointOwner(ownership: Ownership, face: Face): OwnsPoint {
  const placeOf = placeOfPoint(ownership, face);
  return (x, y) => placeOf(x, y) !== 'elsewhere';
}

const isWithin = (x: number, y: number, box: Box): boolean =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
