// Client for the route endpoint.

import type { RouteAnswer } from '../../../shared/contract/route-answer.ts';
import type { AvoidKind } from '../../../shared/route/trip.ts';

export type { RouteAnswer };
export type RouteFound = Extract<RouteAnswer, { success: true }>;
export type RouteFailure = Extract<RouteAnswer, { success: false }>['failures'][number];
/** Latitude and longitude in degrees, in the order of the API. */
export type LatLon = readonly [number, number];

/** Parameters of the route endpoint. Fields that the user left empty are absent. */
export interface Vessel {
  readonly vessel: Readonly<Record<string, number>>;
  readonly safety: Readonly<Record<string, number>>;
  readonly avoid: readonly AvoidKind[];
}

/** Names of request fields, such as `vessel.draft`, which are for programs. */
const FIELD_NAME = /[a-z]\.[a-z0-9]|\b[a-z]+[A-Z]/;
const NOT_ACCEPTED =
  'The service does not accept a waypoint or a value of the vessel. Change them and try again.';

/** @throws Error with a message for the user */
export async function askRoute(
  token: string,
  waypoints: readonly LatLon[],
  { vessel, safety, avoid }: Vessel,
  signal: AbortSignal,
): Promise<RouteAnswer> {
  const response = await fetch(`/api/v1/routing/route?token=${encodeURIComponent(token)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ waypoints, vessel, safety, options: { avoid, include: ['gpx'] } }),
    signal,
  });
  if (response.ok) return (await response.json()) as RouteAnswer;
  if (response.status === 403) throw new Error('This token has no permission to plan routes.');
  if (response.status === 400) {
    const { messages } = (await response.json()) as { messages: readonly string[] };
    const plain = messages.filter((message) => !FIELD_NAME.test(message));
    throw new Error(plain.length === 0 ? NOT_ACCEPTED : plain.join(' '));
  }
  throw new Error('The route service is not available right now. Try again in a moment.');
}
