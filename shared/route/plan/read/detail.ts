// The level of detail at which the sea is examined: down to the last cell near the ends of a trip,
// coarser with the distance from them. A block that may not be divided counts as blocked. This is
// safe, and keeps the track of a long trip away from the shore.

import { metersPerCell, type Point, unwrapNear } from '../geometry/plane.ts';

/** Distance from an end within which the finest cells count. It doubles with each coarser level. */
export const FINEST_REACH_METERS = 24_000;
/** Blocks may be divided down to this level everywhere: 4.9 km at the equator. */
const COARSEST_LIMIT = 9;

export interface Detail {
  /**
   * Whether a mixed block may be divided. If false for a block, it is false for all parts of it.
   */
  mayDivide(level: number, x: number, y: number): boolean;
  /** Whether the exact edges near a line count; otherwise only the cells count. */
  isExactAt(x: number, y: number): boolean;
  /** Whether any part of a box of cells is so near to an end that the finest cells count. */
  isNear(left: number, top: number, size: number): boolean;
}

export const FULL_DETAIL: Detail = {
  mayDivide: () => true,
  isExactAt: () => true,
  isNear: () => true,
};

/** @param reachMeters distance from either end within which the finest cells count */
export function detailAround(ends: readonly Point[], reachMeters: number): Detail {
  const reaches = ends.map(({ y }) => reachMeters / metersPerCell(y));
  const isWithin = (level: number, x: number, y: number, size: number) =>
    ends.some((end, i) => {
      const west = unwrapNear(x + size / 2, end.x) - size / 2;
      const dx = Math.max(west - end.x, 0, end.x - west - size);
      const dy = Math.max(y - end.y, 0, end.y - y - size);
      const reach = reaches[i]! * (1 << level);
      return dx * dx + dy * dy <= reach * reach;
    });
  return {
    mayDivide(level, x, y) {
      if (level > COARSEST_LIMIT) return true;
      const size = 1 << level;
      return isWithin(level - 1, x * size, y * size, size);
    },
    isExactAt: (x, y) => isWithin(0, x, y, 0),
    isNear: (left, top, size) => isWithin(0, left, top, size),
  };
}

/** Returns full detail if all surroundings of the trip are within reach anyway. */
export function detailFor(from: Point, to: Point, meters: number, reachMeters: number): Detail {
  return meters <= reachMeters * 2 ? FULL_DETAIL : detailAround([from, to], reachMeters);
}
