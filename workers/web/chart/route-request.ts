// The route endpoint as the page asks it, and its refusals in words for the reader.

import type { RouteAnswer } from '../../../shared/contract/route-answer.ts';
import type { AvoidKind } from '../../../shared/route/trip.ts';

export type { RouteAnswer };
export type RouteFound = Extract<RouteAnswer, { success: true }>;
export type RouteFailure = Extract<RouteAnswer, { success: false }>['failures'][number];
/** Latitude, longitude: as on the wire. */
export type LatLon = readonly [number, number];

/** Numbers by field, as the endpoint names them; what is not said is not there. */
export interface Vessel {
  readonly vessel: Readonly<Record<string, number>>;
  readonly safety: Readonly<Record<string, number>>;
  readonly avoid: readonly AvoidKind[];
}

/** @throws Error in words for the reader */
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
  if (response.status === 403) throw new Error('This token may not plan routes.');
  if (response.status === 400) {
    const { messages } = (await response.json()) as { messages: readonly string[] };
    throw new Error(messages.join(' '));
  }
  throw new Error('Routes cannot be planned right now. Try again in a moment.');
}
