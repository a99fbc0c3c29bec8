// Random soundings with a seed, in the form in which a boat's logger sends them, and a function to send them.

import { request } from 'node:http';
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

const tokens = new WeakMap<object, Promise<string>>();

/**
 * Send a body as it is, or as JSON, over a connection of its own: on a busy machine a kept one may be
 * closed just as it is used again, and what cannot be put twice must not fail for that.
 */
export async function sendSoundings(
  service: Pick<Service, 'port' | 'token'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const token = tokens.get(service) ?? service.token();
  tokens.set(service, token);
  const authorization = `Bearer ${await token}`;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((done, fail) => {
    const options = { host: '127.0.0.1', port: service.port, path: BATHYMETRY, agent: false };
    const asked = request(
      { ...options, method: 'POST', headers: { authorization, ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', fail);
        answer.on('end', () => {
          done({
            status: answer.statusCode!,
            retryAfter: answer.headers['retry-after'] ?? null,
            body: JSON.parse(Buffer.concat(chunks).toString()),
          });
        });
      },
    );
    asked.on('error', fail);
    asked.end(text);
  });
}
