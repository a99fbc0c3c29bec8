// Restores the exact waypoints of a path: the plane rounds their last digits.

import { wrappedDegrees } from '../geo/geodesic.ts';
import type { Position } from './trip.ts';

/** A tenth of a millimetre. */
const SAME_DEGREES = 1e-9;

/**
 * The path with the original numbers of each waypoint, and the waypoint index of each point. No
 * point has the index of a waypoint that was moved. A waypoint was moved if the rest of the path
 * does not contain it.
 */
export function exactWaypoints(
  path: readonly Position[],
  waypoints: readonly Position[],
): readonly { readonly position: Position; readonly waypoint: number | undefined }[] {
  const lastVisits = waypoints.map((one) =>
    path.reduce((last, position, at) => (isSame(position, one) ? at : last), -1),
  );
  let next = 0;
  return path.map((position, at) => {
    let found = next;
    while (found < waypoints.length && lastVisits[found]! < at) found++;
    if (found === waypoints.length || !isSame(position, waypoints[found]!)) {
      return { position, waypoint: undefined };
    }
    next = found + 1;
    return { position: waypoints[found]!, waypoint: found };
  });
}

const isSame = (a: Position, b: Position): boolean =>
  Math.abs(wrappedDegrees(a[0] - b[0])) < SAME_DEGREES && Math.abs(a[1] - b[1]) < SAME_DEGREES;
