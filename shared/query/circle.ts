// The circle of a query, and its bounding boxes on the grid.

import type { Box } from '../geo/clip-box.ts';
import { wrappedDegrees } from '../geo/geodesic.ts';
import { MAX_LATITUDE } from '../geo/mercator.ts';
import { GRID } from './record.ts';

export interface Circle {
  readonly longitude: number;
  readonly latitude: number;
  readonly radiusMeters: number;
}

/** Less than the minimum length of a degree of latitude on the ellipsoid, metres. */
const MIN_METERS_PER_DEGREE = 110_500;
const RADIANS = Math.PI / 180;

/** The part of the circle within ±180°. The circle's centre can lie outside this part. */
export interface CircleView {
  /** The centre on the grid; beyond ±180° if it lies on the other side of 180°. */
  readonly x: number;
  readonly y: number;
  /** Bounding box of the circle's part on the grid; `top` is south. */
  readonly box: Box;
}

/** One view, or two if the circle crosses 180°; none beyond the latitudes that are drawn. */
export function viewsOf({ longitude, latitude, radiusMeters }: Circle): CircleView[] {
  const reach = radiusMeters / MIN_METERS_PER_DEGREE;
  const south = latitude - reach;
  const north = latitude + reach;
  if (south > MAX_LATITUDE || north < -MAX_LATITUDE) return [];
  const middle = wrappedDegrees(longitude);
  const width = widthOf(latitude, reach);
  return [0, -360, 360].flatMap((turn) => {
    const west = Math.max(middle + turn - width, -180);
    const east = Math.min(middle + turn + width, 180);
    if (west > east) return [];
    // A circle that reaches around the world has only one view.
    if (turn !== 0 && width >= 180) return [];
    const box = {
      left: Math.floor(west * GRID) - 1,
      right: Math.ceil(east * GRID) + 1,
      top: Math.floor(Math.max(south, -90) * GRID) - 1,
      bottom: Math.ceil(Math.min(north, 90) * GRID) + 1,
    };
    return [{ x: onGrid(middle + turn), y: onGrid(latitude), box }];
  });
}

/** Removes rounding errors, so that a position on the grid is at distance 0 from itself. */
function onGrid(degrees: number): number {
  const value = degrees * GRID;
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-4 ? whole : value;
}

/** Degrees of longitude from the centre to either side; 180 if the circle contains a pole. */
function widthOf(latitude: number, reachDegrees: number): number {
  if (Math.abs(latitude) + reachDegrees >= 90) return 180;
  const ratio = Math.sin(reachDegrees * RADIANS) / Math.cos(latitude * RADIANS);
  return ratio >= 1 ? 180 : Math.asin(ratio) / RADIANS;
}
