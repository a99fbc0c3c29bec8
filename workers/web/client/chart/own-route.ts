// Plans a route through waypoints with the service and draws it.

import type { MapLibreMap } from 'maplibre-gl';
import type { Client } from '../client.ts';
import type { RouteAnswer, RouteRequest } from '../wire.ts';
import { wrappedLongitude } from './box.ts';
import { openRouteLayers } from './route-layers.ts';

interface Handlers {
  client(): Client;
  light(): string;
  answered(answer: RouteAnswer): void;
  failed(error: unknown): void;
}

export interface OwnRoute {
  /** Plans and draws a route, or removes it if `undefined`. Aborts a pending request. */
  plan(request: RouteRequest | undefined): void;
  stop(): void;
}

export function openOwnRoute(map: MapLibreMap, handlers: Handlers): OwnRoute {
  const draw = openRouteLayers(map, 'leadline-route', handlers.light);
  let running: AbortController | undefined;
  const plan = async (request: RouteRequest | undefined) => {
    running?.abort();
    // The old route must not remain while the new one is planned.
    draw(undefined);
    if (request === undefined) return;
    const mine = new AbortController();
    running = mine;
    try {
      const answer = await handlers.client().charts.route(request, { signal: mine.signal });
      if (mine.signal.aborted) return;
      draw(answer.success ? answer : undefined);
      handlers.answered(answer);
    } catch (error) {
      if (!mine.signal.aborted) handlers.failed(error);
    }
  };
  return { plan: (request) => void plan(request), stop: () => running?.abort() };
}

/**
 * Parses an attribute with waypoints `longitude,latitude`, separated by spaces.
 *
 * @returns `undefined` if the text is not a list of at least two positions
 */
export function readWaypoints(text: string): [latitude: number, longitude: number][] | undefined {
  const places = text.trim().split(/\s+/).map(readPlace);
  return places.length < 2 || places.includes(undefined)
    ? undefined
    : places.map((place) => [place!.latitude, wrappedLongitude(place!.longitude)]);
}

/** Parses `longitude,latitude` in degrees. Returns `undefined` for an invalid position. */
export function readPlace(text: string): { longitude: number; latitude: number } | undefined {
  const parts = text.split(',');
  const [longitude, latitude] = parts.map((part) =>
    part.trim() === '' ? Number.NaN : Number(part),
  );
  const isPlace = parts.length === 2 && Math.abs(longitude!) <= 360 && Math.abs(latitude!) <= 90;
  return isPlace ? { longitude: longitude!, latitude: latitude! } : undefined;
}
