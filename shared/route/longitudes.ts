// Longitudes of a path: continuous across 180°, or each between −180 and 180.

import { wrappedDegrees } from '../geo/geodesic.ts';
import type { Position } from './trip.ts';

/** The same places, each less than half the globe from the previous one. The first is unchanged. */
export function continuous(path: readonly Position[]): Position[] {
  let last: number | undefined;
  return path.map(([longitude, latitude]) => {
    const near = last === undefined ? longitude : last + wrappedDegrees(longitude - last);
    // Adds whole turns only, so that a longitude that needs no turn keeps its digits.
    last = longitude + 360 * Math.round((near - longitude) / 360);
    return [last, latitude] as const;
  });
}

/** The same place with a longitude between −180 and 180. */
export function wrapped([longitude, latitude]: Position): Position {
  return [wrappedDegrees(longitude), latitude];
}
