// Finds the two waypoints of a route between which a click lies.

import { wrappedLongitude } from '../client/chart/box.ts';
import { unrolled } from '../client/chart/route-layers.ts';
import type { LatLon } from './route-request.ts';
import type { Waypoint } from './route-waypoints.ts';

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Tolerance for a route passing a waypoint: about a metre. */
const SAME_DEGREES = 1e-5;

/** Returns the number of waypoints before the point of the route nearest to a screen position. */
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

function distanceToLine(point: Pixel, a: Pixel, b: Pixel): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / length;
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - a.x - share * dx, point.y - a.y - share * dy);
}
