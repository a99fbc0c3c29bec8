// The last check of a path. It tests every piece against the cells, the limits and the exact edges,
// independently of the search, the smoothing and the turns.

import type { Point } from '../geometry/plane.ts';
import type { Detail } from '../read/detail.ts';
import type { Pieces, SquareRequests } from '../read/square-requests.ts';
import type { LineOfSight } from './line-of-sight.ts';

/** The place where a piece fails. */
export interface Fault {
  readonly piece: number;
  readonly at: Point;
}

/** @param near where exact edges are read even if the cells alone prove the water free */
export function* firstFault(
  lineOfSight: LineOfSight,
  line: readonly Point[],
  near: Detail,
  pieces: Pieces,
): SquareRequests<Fault | undefined> {
  for (let i = 1; i < line.length; i++) {
    const at = yield* pieces.run(() => faultOn(lineOfSight, line[i - 1]!, line[i]!, near));
    if (at !== undefined) return { piece: i, at };
  }
  return undefined;
}

/** The place where a piece of a path fails. */
function faultOn(lineOfSight: LineOfSight, a: Point, b: Point, near: Detail): Point | undefined {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  if (lineOfSight.water.isOutOfBounds(a, b) || !lineOfSight.isFreeByCells(a, b)) return middle;
  const unsafe = lineOfSight.unsafeAlong(a, b, near);
  return unsafe && lineOfSight.nearestOn(a, b, unsafe);
}
