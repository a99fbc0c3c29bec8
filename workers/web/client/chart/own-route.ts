// A route through waypoints, asked of the service and drawn.

import type { MapLibreMap } from 'maplibre-gl';
import type { Client } from '../client.ts';
import type { RouteAnswer, RouteQuestion } from '../wire.ts';
import { openRouteLayers } from './route-layers.ts';

interface Handlers {
  client(): Client;
  light(): string;
  answered(answer: RouteAnswer): void;
  failed(error: unknown): void;
}

export interface OwnRoute {
  /** Ask for a route, and draw it; undefined takes it away. A route that was asked for before is given up. */
  plan(question: RouteQuestion | undefined): void;
  stop(): void;
}

export function openOwnRoute(map: MapLibreMap, handlers: Handlers): OwnRoute {
  const draw = openRouteLayers(map, 'leadline-route', handlers.light);
  let question: AbortController | undefined;
  const plan = async (asked: RouteQuestion | undefined) => {
    question?.abort();
    // What is asked for anew is not shown as it was.
    draw(undefined);
    if (asked === undefined) return;
    const mine = new AbortController();
    question = mine;
    try {
      const answer = await handlers.client().charts.route(asked, { signal: mine.signal });
      if (mine.signal.aborted) return;
      draw(answer.success ? answer : undefined);
      handlers.answered(answer);
    } catch (error) {
      if (!mine.signal.aborted) handlers.failed(error);
    }
  };
  return { plan: (asked) => void plan(asked), stop: () => question?.abort() };
}

/**
 * Waypoints of an attribute: longitude and latitude with a comma, and a blank between places.
 *
 * @returns undefined where it is no such list of two or more
 */
export function readWaypoints(text: string): [latitude: number, longitude: number][] | undefined {
  const places = text.trim().split(/\s+/).map(readPlace);
  return places.length < 2 || places.includes(undefined)
    ? undefined
    : places.map((place) => [place!.latitude, place!.longitude]);
}

/** `longitude,latitude` in degrees; undefined where it is none. */
export function readPlace(text: string): { longitude: number; latitude: number } | undefined {
  const parts = text.split(',');
  const [longitude, latitude] = parts.map((part) =>
    part.trim() === '' ? Number.NaN : Number(part),
  );
  const isPlace = parts.length === 2 && Math.abs(longitude!) <= 360 && Math.abs(latitude!) <= 90;
  return isPlace ? { longitude: longitude!, latitude: latitude! } : undefined;
}
