// Any path, method or header gives a documented status, and never a 500.

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { isLong } from '../support/long-run.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = 20_261_123;
const ROUNDS = isLong ? 6000 : 2000;

let app: DirectApp;
beforeAll(async () => {
  app = await freshApp(inject('demoCharts'));
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const random = seededRandom(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const WORDS = [
  'api',
  'v1',
  'v2',
  'tiles',
  'enc-v2',
  'data-geojson-v1',
  'data-shoreline-v1',
  'raster-v1',
  'datasets',
  'attributions',
  'enc-v2.json',
  'healthz',
  'openapi.json',
  '0',
  '1',
  '14',
  '7282',
  '9623.mvt',
  '9623.json',
  '-1',
  '1e9',
  '9007199254740993',
  '%00',
  '%2e%2e',
  '%F0%9F%9A%A2',
  '%ff',
  '..',
  '.',
  '',
  '*',
  '{z}',
  "'",
  '"',
  '<script>',
  '\\',
  ';',
  '@',
  ':',
  'a'.repeat(300),
  '__proto__',
  'constructor',
  'toString',
];
const METHODS = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'PROPFIND',
];
const VALUES = [
  '',
  ' ',
  '*',
  '0',
  'gzip',
  'br;q=0, gzip;q=0',
  'Bearer',
  'Bearer ',
  'Bearer x.y.z',
  'Basic Og==',
  'bytes=0-1',
  '"x"',
  'W/"x", *',
  'null',
  'https://a.example',
  'é',
  '\t',
  'x'.repeat(4000),
];
const HEADERS = [
  'authorization',
  'accept',
  'accept-encoding',
  'if-none-match',
  'origin',
  'range',
  'referer',
  'content-type',
  'content-encoding',
  'x-forwarded-host',
  'if-modified-since',
];

/** Valid paths for requests whose other parts are unusual. */
const SOUND = [
  '/api/v2/tiles/enc-v2/14/7282/9623.mvt',
  '/api/v2/tiles/enc-v2/0/0/0.mvt',
  '/api/v2/tiles/enc-v2/16/10000/30000.mvt',
  '/api/v2/tiles/data-geojson-v1/14/7282/9623.json',
  '/api/v2/tiles/data-geojson-v1/10/300/600.json',
  '/api/v2/tiles/data-shoreline-v1/12/1820/2405.json',
  '/api/v2/tiles/enc-v2.json',
  '/api/v1/datasets/attributions',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
];

function anyPath(): string {
  const kind = random();
  if (kind < 0.35) return pick(SOUND);
  if (kind < 0.6) {
    // Similar to the path of a tile, to reach the deepest code.
    const part = () => pick(['0', '3', '9', '14', '16', '22', '7282', '9623', ...WORDS]);
    const [set, end] = pick([
      ['enc-v2', 'mvt'],
      ['data-geojson-v1', 'json'],
      ['data-shoreline-v1', 'json'],
    ]);
    return `/api/v2/tiles/${set}/${part()}/${part()}/${part()}.${end}`;
  }
  return `/${Array.from({ length: Math.floor(random() * 8) }, () => pick(WORDS)).join('/')}`;
}

function anyQuery(): string {
  if (random() < 0.5) return '';
  const pairs = Array.from(
    { length: 1 + Math.floor(random() * 3) },
    () => `${pick(['token', 'x', '', '%'])}=${pick(WORDS)}`,
  );
  return `?${pairs.join('&')}`;
}

describe(`requests of all kinds (seed ${SEED})`, () => {
  test(`${ROUNDS} requests receive documented responses`, async () => {
    const documented = new Set([200, 204, 304, 400, 401, 403, 404, 405]);
    const seen = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const headers = new Headers();
      if (random() < 0.8) headers.set('authorization', `Bearer ${app.token}`);
      for (let i = 0; i < random() * 3; i++) {
        try {
          headers.set(pick(HEADERS), pick(VALUES));
        } catch {
          // Invalid header: no client could send it.
        }
      }
      const path = anyPath() + anyQuery();
      const method = pick(METHODS);
      let response: Response;
      try {
        response = await app.fetch(path, { method, headers });
      } catch (error) {
        // No client can send this URL or method.
        expect(error, `${method} ${path}`).toBeInstanceOf(TypeError);
        expect(String(error)).toMatch(/URL|method/i);
        continue;
      }
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      expect(
        documented.has(response.status),
        `round ${round}: ${method} ${path} → ${response.status}`,
      ).toBe(true);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      await response.arrayBuffer();
    }
    // The mix must reach the handlers, not only the proxy.
    for (const status of [200, 400, 401, 404, 405]) {
      expect(seen.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(20);
    }
  });
});
