// Routes and soundings in a separate Worker: the response is the same for the client, no other caller is
// accepted, and the response is accurate if that Worker fails.

import { afterAll, afterEach, describe, expect, inject, vi } from 'vitest';
import { freshApp } from '../support/direct-app.ts';
import { demoTest as test } from '../support/fixtures.ts';
import { closeConnections, sendHttp, textOf } from '../support/http-client.ts';
import { type Service, startService } from '../support/service.ts';

const ROUTE = '/api/v1/routing/route';
const SOUNDINGS = '/api/v1/user-reports/bathymetry';
const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
const SOUND_ROUTE = {
  waypoints: [
    [-30.005, -20.012],
    [-30.02, -19.96],
  ],
  vessel: { draft: 2 },
};
const SOUNDING = { latitude: 1, longitude: 2, depth: 3, time: '2026-06-01T12:00:00Z' };
const UPLOAD = JSON.stringify({ soundings: [SOUNDING] });

interface Wanted {
  readonly what: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Requests with every outcome. */
const REQUESTS: readonly Wanted[] = [
  { what: 'a route', path: ROUTE, body: JSON.stringify(SOUND_ROUTE) },
  { what: 'a route without waypoints', path: ROUTE, body: '{}' },
  { what: 'a route that is not JSON', path: ROUTE, body: '{"waypoints":' },
  { what: 'a route too large', path: ROUTE, body: `{"a":"${'x'.repeat(70_000)}"}` },
  { what: 'an encoded route', path: ROUTE, body: '{}', headers: { 'content-encoding': 'gzip' } },
  { what: 'a route without a body', path: ROUTE },
  { what: 'soundings without a database', path: SOUNDINGS, body: UPLOAD },
  {
    what: 'soundings without a Content-Length',
    ...{ path: SOUNDINGS, body: UPLOAD, headers: { 'transfer-encoding': 'chunked' } },
  },
  {
    what: 'a large upload without a Content-Length',
    ...{ path: SOUNDINGS, body: ' '.repeat(200_000) + UPLOAD },
    headers: { 'transfer-encoding': 'chunked' },
  },
  { what: 'soundings with a field missing', path: SOUNDINGS, body: '{"soundings":[{}]}' },
  {
    what: 'one sounding too many',
    path: SOUNDINGS,
    body: `{"soundings":[${'{},'.repeat(60_000)}{}]}`,
  },
  {
    what: 'multipart soundings',
    path: SOUNDINGS,
    body: 'x',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  },
  {
    what: 'soundings with a malformed key',
    path: SOUNDINGS,
    body: UPLOAD,
    headers: { 'idempotency-key': '' },
  },
];

describe('through the other Worker and without it', () => {
  let alone: Service;
  let together: Service;
  test.beforeAll(async ({ service }) => {
    together = service;
    alone = await startService({ charts: inject('demoCharts'), isAlone: true });
  });
  afterAll(async () => {
    closeConnections();
    await alone?.stop();
  });

  test.for(REQUESTS)('the response to $what and its log line are the same', async (wanted) => {
    const { path, headers, ...rest } = wanted;
    const requestId = `heavy-worker-${REQUESTS.indexOf(wanted)}`;
    const [here, there] = await Promise.all(
      [alone, together].map(async (one) => {
        const answer = await sendHttp(one.port, `${path}?token=${await one.token()}`, {
          method: 'POST',
          headers: { ...headers, 'x-request-id': requestId },
          ...rest,
        });
        const logged = await vi.waitFor(() => {
          const lines = one.log.filter((line) => line.includes(requestId));
          const requests = lines.filter((line) => line.includes('"kind":"request"'));
          expect([requests.length, lines.length]).toEqual([1, 1]);
          return JSON.parse(requests[0]!);
        });
        const { date: _date, 'server-timing': timing, ...others } = answer.headers;
        expect(timing).toMatch(/^total;dur=\d+, r2;desc="\d+ reads"$/);
        const { time: _time, ms: _ms, tokenId: _tokenId, bucketReads, ...line } = logged;
        // The number of reads depends on earlier requests.
        const didRead = path === ROUTE && answer.status === 200 ? bucketReads >= 0 : bucketReads;
        return { status: answer.status, headers: others, body: textOf(answer), line, didRead };
      }),
    );
    expect(there).toEqual(here);
  });
});

/** An isolate with the given binding for heavy work. */
const appOver = (heavyWorker: (request: Request) => Promise<Response>) =>
  freshApp(inject('demoCharts'), { HEAVY_WORK: { fetch: heavyWorker } });

describe('the Worker for heavy work', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test.each<readonly [string, () => Promise<Response>]>([
    ['is down', () => Promise.reject(new Error('The script will never generate a response.'))],
    ['has another version without this endpoint', async () => new Response(null, { status: 404 })],
    ['gives a response of another service', async () => Response.json({ success: true })],
    [
      'sends an unreadable response',
      async () => new Response('{}', { headers: { 'leadline-heavy-report': '%' } }),
    ],
  ])(
    '%s: routes are 503, the outcome of an upload is unknown, and charts work',
    async (_, fails) => {
      const app = await appOver(fails);
      const lines: string[] = [];
      app.onLogLine = (line) => void lines.push(line);
      const query = `?token=${app.token}`;
      const post = (path: string, headers = {}) =>
        app.fetch(path + query, { method: 'POST', body: UPLOAD, headers });

      const route = await post(ROUTE);
      expect([route.status, route.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await route.json()).toMatchObject({
        code: 'heavy_work_unavailable',
        success: false,
        route: [],
      });

      const upload = await post(SOUNDINGS, { 'idempotency-key': 'mine' });
      expect([upload.status, upload.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await upload.json()).toMatchObject({
        code: 'outcome_unknown',
        idempotencyKey: 'mine',
      });
      const { idempotencyKey } = (await (await post(SOUNDINGS)).json()) as {
        idempotencyKey: string;
      };
      expect(idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);

      expect((await app.fetch(TILE + query)).status).toBe(200);
      expect(lines.filter((line) => line.includes('"where":"heavy work"'))).toHaveLength(3);
    },
  );

  test('receives the key with which the client can ask for the outcome of its upload', async () => {
    const orders: Request[] = [];
    const app = await appOver(async (request) => {
      orders.push(request);
      throw new Error('It ended in the middle.');
    });
    const answer = await app.fetch(`${SOUNDINGS}?token=${app.token}`, {
      method: 'POST',
      body: UPLOAD,
    });
    const { idempotencyKey } = (await answer.json()) as { idempotencyKey: string };
    const { readHeavyRequest } = await import('../../workers/service/http/heavy-client.ts');
    expect(readHeavyRequest(orders[0]!)?.writeKey).toBe(idempotencyKey);
  });

  test('accepts the caller only from the service, whatever headers a client sends', async () => {
    const orders: Request[] = [];
    const app = await appOver(async (request) => {
      orders.push(request);
      return new Response(null, { status: 404 });
    });
    const forged = { requestId: 'forged', caller: { account: 'another', scopes: [] } };
    const headers = {
      'leadline-heavy-order': encodeURIComponent(JSON.stringify(forged)),
      'x-request-id': 'that-of-the-client',
    };
    const init = { method: 'POST', body: '{}', headers };
    await app.fetch(`${ROUTE}?token=${app.token}`, init);
    const { readHeavyRequest } = await import('../../workers/service/http/heavy-client.ts');
    const order = readHeavyRequest(orders[0]!);
    expect(order).toMatchObject({ requestId: 'that-of-the-client', caller: { account: 'tests' } });
    expect(order?.caller.scopes.has('routing')).toBe(true);
    // Unauthorized requests are not passed on.
    expect((await app.fetch(ROUTE, init)).status).toBe(401);
    expect(orders).toHaveLength(1);
  });

  test('does nothing without an order', async () => {
    const { createHeavyWorker } = await import('../../workers/service/heavy-worker.ts');
    const asked = new Request(`http://leadline.test${ROUTE}`, { method: 'POST', body: '{}' });
    const answer = await createHeavyWorker().fetch(asked, {}, {} as never);
    expect([answer.status, await answer.text()]).toEqual([404, '']);
    expect(answer.headers.get('leadline-heavy-report')).toBeNull();
  });

  test('performs every heavy operation', async () => {
    const [{ HEAVY_ENDPOINTS }, { ENDPOINTS }] = await Promise.all([
      import('../../workers/service/heavy-worker.ts'),
      import('../../workers/service/app.ts'),
    ]);
    const idsOf = (those: readonly { readonly id: string }[]) => those.map(({ id }) => id).sort();
    expect(idsOf(HEAVY_ENDPOINTS)).toEqual(
      idsOf(ENDPOINTS.filter(({ isHeavy }) => isHeavy !== undefined)),
    );
    expect(HEAVY_ENDPOINTS.every((one) => one.heavyWorkerFailed !== undefined)).toBe(true);
  });
});
