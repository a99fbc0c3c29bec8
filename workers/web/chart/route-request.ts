// The route request of the route tool.

import type { AvoidKind } from '../../../shared/route/trip.ts';
import type { RouteAnswer, RouteRequest } from '../client/wire.ts';
import type { Waypoint } from './route-waypoints.ts';

export type { RouteAnswer };
export type RouteFound = Extract<RouteAnswer, { success: true }>;
export type RouteFailure = Extract<RouteAnswer, { success: false }>['failures'][number];
/** Latitude and longitude in degrees, in the order of the API. */
export type LatLon = readonly [number, number];

/** Parameters of the route endpoint. Fields that the user left empty are absent. */
export interface Vessel {
  readonly vessel: Readonly<Record<string, number>>;
  readonly safety: Readonly<Record<string, number>>;
  readonly avoid: AvoidKind[];
}

export const requestOf = (
  waypoints: readonly Waypoint[],
  { vessel, safety, avoid }: Vessel,
): RouteRequest => ({
  waypoints: waypoints.map(({ latitude, longitude }) => [latitude, longitude]),
  vessel,
  safety,
  options: { avoid, include: ['gpx'] },
});
