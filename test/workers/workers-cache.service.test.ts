// Chart reads through a Worker with Cloudflare's Workers Caching, which a double simulates in front of it: tiles
// are the same and need no reads of the bucket, and only authenticated requests reach the cache.

import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { addressOf, writePartCharts } from '../support/part-charts.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { startService } from '../support/service.ts';
import { WorkersCache } from '../support/workers-cache.ts';

const WORLD = { z: 0, x: 0, y: 0 };
const HARBOUR = { z: 12, x: 2048, y: 2047 };
/** In the same region as the harbour. */
const NEIGHBOUR = { z: 12, x: 2049, y: 2047 };
const TILE = `/api/v2/tiles/enc-v2/${addressOf(HARBOUR)}.mvt`;
const DEMO_TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';

const folder = scratchFolder();
let part: string;
beforeAll(async () => {
  const charts = await writePartCharts(folder, [WORLD, HARBOUR]);
  part = charts.partWith(HARBOUR)!;
});
afterAll(() => vi.unstubAllGlobals());

let cache: WorkersCache;
beforeEach(() => {
  cache = new WorkersCache();
});

/** A new isolate, whose reads of charts go through the cache. */
async function appBehindCache(charts = folder): Promise<DirectApp> {
  const app = await freshApp(charts, { CHART_READS: cache.binding });
  const { answerChartRead } = await import('../../workers/service/charts/chart-reads.ts');
  cache.worker = (request) => answerChartRead({ TILES: app.bucket } as never, request);
  return app;
}
const ask = (app: DirectApp) =>
  app.fetch(TILE, { headers: { authorization: `Bearer ${app.token}` } });
const partReads = (app: DirectApp) => app.reads.filter((key) => key !== POINTER_KEY);

test('the cache is not used without the binding', async () => {
  const app = await freshApp(folder);
  expect(await (await ask(app)).text()).toBe(addressOf(HARBOUR));
  expect(partReads(app)).toEqual([part, part]);
  expect(cache.asked).toEqual([]);
});

test('a second isolate returns the tile without a read of the bucket', async () => {
  const first = await appBehindCache();
  expect(await (await ask(first)).text()).toBe(addressOf(HARBOUR));
  expect(partReads(first)).toEqual([part, part]);
  const second = await appBehindCache();
  const lines: string[] = [];
  second.onLogLine = (line) => void lines.push(line);
  expect(await (await ask(second)).text()).toBe(addressOf(HARBOUR));
  expect(partReads(second)).toEqual([]);
  // Only the pointer to the current build.
  expect(lines.map((line) => JSON.parse(line).bucketReads)).toEqual([1]);
});

test('a request to the cache has the hash of the part and its range, and nothing of the client', async () => {
  const app = await appBehindCache();
  const headers = { cookie: 'a=b', 'x-forwarded-host': 'other.example' };
  expect((await app.fetch(`${TILE}?token=${app.token}`, { headers })).status).toBe(200);
  expect(cache.asked).toHaveLength(2);
  for (const { method, url, headers } of cache.asked) {
    expect(method).toBe('GET');
    expect(new URL(url).pathname).toMatch(new RegExp(`^/${part}/\\d+/\\d+$`));
    expect(new URL(url).search).toBe('');
    expect([...headers]).toEqual([]);
  }
});

test('a request without a valid token is 401 and does not reach a filled cache', async () => {
  await ask(await appBehindCache());
  const app = await appBehindCache();
  cache.asked.length = 0;
  const { token } = await freshApp(folder);
  for (const headers of [{}, { authorization: `Bearer ${token}` }, { authorization: 'Bearer x' }]) {
    expect((await app.fetch(TILE, { headers: headers as HeadersInit })).status).toBe(401);
  }
  expect(cache.asked).toEqual([]);
});

test('another build never asks for a part that its manifest does not name', async () => {
  await ask(await appBehindCache());
  // As the charts of another account: the same place, in a part with other bytes.
  const others = scratchFolder();
  const other = await writePartCharts(others, [WORLD, HARBOUR, NEIGHBOUR]);
  const otherPart = other.partWith(HARBOUR)!;
  expect(otherPart).not.toBe(part);
  const app = await appBehindCache(others);
  cache.asked.length = 0;
  expect(await (await ask(app)).text()).toBe(addressOf(HARBOUR));
  expect(partReads(app)).toEqual([otherPart, otherPart]);
  expect(cache.asked.filter(({ url }) => url.includes(part))).toEqual([]);
});

test('missing and incomplete parts are 503 and are not cached', async () => {
  for (const spoiled of [undefined, new Uint8Array(5)]) {
    const app = await appBehindCache();
    app.spoil = (key, bytes) => (key === part ? spoiled : bytes);
    expect((await ask(app)).status).toBe(503);
    app.spoil = (_key, bytes) => bytes;
    expect((await ask(app)).status).toBe(200);
    cache = new WorkersCache();
  }
});

test('a failing Worker for chart reads is 503', async () => {
  const app = await appBehindCache();
  cache.worker = async () => new Response(null, { status: 500 });
  expect((await ask(app)).status).toBe(503);
  cache.worker = async () => {
    throw new Error('the Worker failed');
  };
  expect((await ask(app)).status).toBe(503);
});

test('the Worker answers only requests for ranges of parts', async () => {
  const app = await appBehindCache();
  const { answerChartRead } = await import('../../workers/service/charts/chart-reads.ts');
  const status = async (path: string, init?: RequestInit) => {
    const request = new Request(`https://charts.invalid${path}`, init);
    const answer = await answerChartRead({ TILES: app.bucket } as never, request);
    return [answer.status, answer.headers.get('cache-control')];
  };
  for (const path of ['/', '/current.json/0/9', `/${part}`, `/${part}/-1/9`, `/x/../${part}/0/a`]) {
    expect(await status(path), path).toEqual([404, 'no-store']);
  }
  expect(await status(`/${part}/0/9`, { method: 'POST' })).toEqual([404, 'no-store']);
  expect(await status(`/${part}/0/9`)).toEqual([200, 'public, max-age=86400']);
});

test('the runtime serves the same tile through the entry point of the bundle', async () => {
  const charts = inject('demoCharts');
  const answers = [];
  for (const hasChartReads of [false, true]) {
    const service = await startService({ charts, isAlone: true, hasChartReads });
    try {
      const answer = await service.get(DEMO_TILE);
      const body = new Uint8Array(await answer.arrayBuffer());
      expect((await fetch(service.address + DEMO_TILE)).status).toBe(401);
      const line = await vi.waitUntil(() =>
        service.log.find((one) => one.includes('"bucketReads"')),
      );
      answers.push({ status: answer.status, body, reads: JSON.parse(line).bucketReads });
    } finally {
      await service.stop();
    }
  }
  const [direct, cached] = answers;
  expect(cached).toMatchObject({ status: 200, body: direct!.body });
  expect(cached!.body.length).toBeGreaterThan(0);
  // The Worker in front of the entry point marks each response as a hit.
  expect(cached!.reads).toBeLessThan(direct!.reads);
});
