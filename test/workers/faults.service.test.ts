// Storage failures: 503 with Retry-After and a code, never an empty tile or a 500. The service recovers
// when storage does. Also the number of bucket reads per tile.

import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import { type DirectApp, freshApp, type Spoil } from '../support/direct-app.ts';
import { isLong } from '../support/long-run.ts';
import { manifestOf } from '../support/manifest-of.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = 20_261_122;
/** The number of isolates. Each isolate loads the Worker. */
const FLIPS = isLong ? 60 : 5;
const TILES = [
  '/api/v2/tiles/enc-v2/14/7282/9623.mvt',
  '/api/v2/tiles/data-geojson-v1/12/1820/2405.json',
  '/api/v2/tiles/data-shoreline-v1/12/1820/2405.json',
];
/** An uncharted tile: an unreadable archive must not give the same response. */
const EMPTY = '/api/v2/tiles/enc-v2/16/10000/30000.mvt';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const get = (app: DirectApp, path: string) =>
  app.fetch(path, { headers: { authorization: `Bearer ${app.token}` } });

async function expectUnavailable(response: Response, path: string): Promise<void> {
  expect(response.status, path).toBe(503);
  expect(Number(response.headers.get('retry-after')), path).toBeGreaterThan(0);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject({ code: 'charts_unavailable' });
}

const onArchives =
  (spoil: Spoil): Spoil =>
  (key, bytes) =>
    key === POINTER_KEY ? bytes : spoil(key, bytes);
const onPointer =
  (spoil: Spoil): Spoil =>
  (key, bytes) =>
    key === POINTER_KEY ? spoil(key, bytes) : bytes;
const fail = (): never => {
  throw new Error('storage is down');
};

const FAULTS: Readonly<Record<string, Spoil>> = {
  'no pointer': onPointer(() => undefined),
  'a pointer that is not JSON': onPointer(() => new TextEncoder().encode('{"format":1')),
  'a pointer with an unknown format': onPointer(() => new TextEncoder().encode('{"format":2}')),
  'an empty pointer': onPointer(() => new Uint8Array(0)),
  'a bucket that throws': fail,
  'archives that are gone': onArchives(() => undefined),
  'archives cut off': onArchives((_, bytes) => bytes.slice(0, bytes.length / 2)),
  'archives of zeros': onArchives((_, bytes) => new Uint8Array(bytes.length)),
  'archives that throw': onArchives(fail),
};

describe('storage that fails', () => {
  for (const [name, spoil] of Object.entries(FAULTS)) {
    test(`${name}: 503 for every tile, and correct tiles after recovery`, async () => {
      const app = await freshApp(inject('demoCharts'));
      const sound = app.spoil;
      app.spoil = spoil;
      for (const path of TILES) await expectUnavailable(await get(app, path), path);
      app.spoil = sound;
      for (const path of TILES) expect((await get(app, path)).status, path).toBe(200);
    });
  }

  test('gives no empty tile, even for an uncharted place', async () => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = onPointer(() => undefined);
    await expectUnavailable(await get(app, EMPTY), EMPTY);
  });

  test('fails readiness, but not health', async () => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = onPointer(() => undefined);
    const ready = await app.fetch('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'not-ready', checks: { charts: false } });
    expect((await app.fetch('/healthz')).status).toBe(200);
  });

  test('leaves the current charts in use if only the pointer fails later', async () => {
    const app = await freshApp(inject('demoCharts'));
    expect((await get(app, TILES[0]!)).status).toBe(200);
    app.spoil = onPointer(fail);
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    try {
      expect((await get(app, TILES[1]!)).status).toBe(200);
      expect((await get(app, TILES[2]!)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test(`gives the right tile or 503 if single bytes flip (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    const sound = await freshApp(inject('demoCharts'));
    const expected = Buffer.from(await (await get(sound, TILES[0]!)).arrayBuffer()).toString('hex');
    let refused = 0;
    for (let round = 0; round < FLIPS; round++) {
      const app = await freshApp(inject('demoCharts'));
      const places = Array.from({ length: 400 }, () => random());
      app.spoil = onArchives((_, bytes) => {
        const flipped = bytes.slice();
        for (const place of places) flipped[Math.floor(place * bytes.length)]! ^= 0x10;
        return flipped;
      });
      const response = await get(app, TILES[0]!);
      if (response.status === 503) refused++;
      else {
        expect(response.status).toBe(200);
        const hex = Buffer.from(await response.arrayBuffer()).toString('hex');
        expect(hex).toBe(expected);
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});

test('the status page has the age of the charts in days', async () => {
  const app = await freshApp(inject('demoCharts'));
  const { dataSourcedAt } = manifestOf(inject('demoCharts')).datasets[0]!;
  vi.spyOn(Date, 'now').mockReturnValue(dataSourcedAt + 1.5 * 86_400_000);
  expect(await (await app.fetch('/status')).text()).toContain('Downloaded 1 day ago.');
});

describe('reads of the bucket', () => {
  test('are at most two and the pointer for the first tile of an isolate, one for the next tile, and none for a repeated tile', async () => {
    for (const path of TILES) {
      const app = await freshApp(inject('demoCharts'));
      const readsFor = async (asked: string) => {
        const before = app.reads.length;
        expect((await get(app, asked)).status).toBe(200);
        return app.reads.slice(before).filter((key) => key !== POINTER_KEY).length;
      };
      expect(await readsFor(path), path).toBeLessThanOrEqual(2);
      const neighbour = path.replace(
        /\/(\d+)\/(\d+)\.(\w+)$/,
        (_, x, y, end) => `/${x}/${Number(y) + 1}.${end}`,
      );
      expect(await readsFor(neighbour), neighbour).toBeLessThanOrEqual(1);
      expect(await readsFor(path), `${path} again`).toBe(0);
    }
  });

  test('include the pointer only once', async () => {
    const app = await freshApp(inject('demoCharts'));
    for (const path of TILES) await get(app, path);
    expect(app.reads.filter((key) => key === POINTER_KEY)).toHaveLength(1);
  });
});

test('the log contains the request ID and the cost, and never the token', async () => {
  const app = await freshApp(inject('demoCharts'));
  const lines: string[] = [];
  app.onLogLine = (line) => lines.push(line);
  await app.fetch(`${TILES[0]}?token=${app.token}`);
  await app.fetch(`${TILES[0]}?token=${app.token}x`);
  app.spoil = fail;
  await get(app, TILES[1]!);
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(JSON.parse(lines[0]!)).toMatchObject({ kind: 'request', path: TILES[0], status: 200 });
  const text = lines.join('\n');
  expect(text).not.toContain(app.token);
  expect(text).not.toContain(app.token.split('.')[2]);
});
