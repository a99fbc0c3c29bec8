// Where on a route a click falls: between which of its waypoints.

import { unrolled } from '../client/chart/route-layers.ts';
import type { LatLon } from './route-request.ts';
import type { Waypoint } from './route-waypoints.ts';

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** About a metre: routes pass waypoints, or where they were moved to. */
const SAME_DEGREES = 1e-5;

/** How many waypoints the route has passed where it comes nearest to a place on the screen. */
export function waypointsBefore(
  place: Pixel,
  route: readonly LatLon[],
  waypoints: readonly Waypoint[],
  project: (at: [number, number]) => Pixel,
): number {
  const path = unrolled(route);
  let passed = 0;
  let [nearest, found] = [Number.POSITIVE_INFINITY, waypoints.length];
  path.slice(1).forEach((to, i) => {
    const from = path[i]!;
    if (isAt(from, waypoints[passed])) passed++;
    const distance = distanceToLine(place, project(from), project(to));
    if (distance < nearest) [nearest, found] = [distance, Math.max(passed, 1)];
  });
  return found;
}

const isAt = ([longitude, latitude]: readonly [number, number], waypoint: Waypoint | undefined) =>
  waypoint !== undefined &&
  Math.abs(waypoint.latitude - latitude) < SAME_DEGREES &&
  Math.abs(wrappedLongitude(longitude - waypoint.longitude)) < SAME_DEGREES;

/** From −180 up to 180. */
export const wrappedLongitude = (longitude: number): number =>
  ((((longitude + 180) % 360) + 360) % 360) - 180;

function distanceToLine(point: Pixel, a: Pixel, b: Pixel): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / length;
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - a.x - share * dx, point.y - a.y - share * dy);
}
