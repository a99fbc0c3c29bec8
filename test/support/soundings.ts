// Soundings as a boat's logger sends them, seeded, and a way to send them.

import { seededRandom } from './seeded-random.ts';
import type { Service } from './service.ts';

export const BATHYMETRY = '/api/v1/user-reports/bathymetry';

export interface SentSounding {
  latitude: number;
  longitude: number;
  depth: number;
  time: number | string;
}

export interface Track {
  readonly id: string;
  readonly pointCount: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly merged: boolean;
}

/** 13 September 2020, 12:26:40 UTC. */
export const START = 1_600_000_000_000;

/** A sounding so many seconds after the start. */
export const soundingAfter = (seconds: number, depth = 7.5): SentSounding => ({
  latitude: 59.5,
  longitude: -151.25,
  depth,
  time: START + seconds * 1000,
});

/** A boat that wanders and sounds once every so often. */
export function voyage(count: number, seed: number, everyMs = 1000, from = START): SentSounding[] {
  const random = seededRandom(seed);
  let latitude = 59.5 + random() / 10;
  let longitude = -151.5 + random() / 10;
  let depth = 5 + random() * 40;
  return Array.from({ length: count }, (_, i) => {
    latitude += (random() - 0.5) / 10_000;
    longitude += random() / 10_000;
    depth = Math.max(0.5, depth + random() - 0.5);
    return {
      latitude: Math.round(latitude * 1e7) / 1e7,
      longitude: Math.round(longitude * 1e7) / 1e7,
      depth: Math.round(depth * 100) / 100,
      time: from + i * everyMs,
    };
  });
}

export interface Sent {
  readonly status: number;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

/** Send a body as it is, or as JSON. */
export async function sendSoundings(
  service: Pick<Service, 'get'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await service.get(BATHYMETRY, { method: 'POST', body: text, headers });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
  };
}
