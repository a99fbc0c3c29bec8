// The last check of a path. It tests every piece against the cells, the limits and the exact edges,
// independently of the search, the smoothing and the turns.

import type { Point } from '../geometry/plane.ts';
import type { Detail } from '../read/detail.ts';
import type { LineOfSight } from './line-of-sight.ts';

/** The place where a piece fails. */
export interface Fault {
  readonly piece: number;
  readonly at: Point;
}

/** @param near where exact edges are read even if the cells alone prove the water free */
export function firstFault(
  lineOfSight: LineOfSight,
  line: readonly Point[],
  near: Detail,
): Fault | undefined {
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1]!;
    const b = line[i]!;
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    if (lineOfSight.water.isOutOfBounds(a, b)) return { piece: i, at: middle };
    if (!lineOfSight.isFreeByCells(a, b)) return { piece: i, at: middle };
    const unsafe = lineOfSight.unsafeAlong(a, b, near);
    if (unsafe !== undefined) return { piece: i, at: lineOfSight.nearestOn(a, b, unsafe) };
  }
  return undefined;
}
