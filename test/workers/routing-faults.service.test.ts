// Routes while storage fails: 503 with Retry-After, never a route over water that was not read, and
// never "no path". Also the number of bucket reads per route.

import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import { PartIndex } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import { ROUTE_TILESET } from '../../shared/route/sheets.ts';
import { READ_LIMIT_MS } from '../../workers/service/runtime/time-limit.ts';
import { type DirectApp, freshApp, type Spoil } from '../support/direct-app.ts';
import { isLong } from '../support/long-run.ts';
import { manifestOf, withChecksum } from '../support/manifest-of.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { archiveOf } from '../support/whole-archive.ts';

const SEED = 20_261_122;
/**
 * The number of isolates. Each isolate loads the Worker. The first has one flipped byte, the last has
 * many.
 */
const FLIPS = isLong ? 20 : 7;
const MAX_FLIPPED = 39;

/** Two positions off the demo port, in deep water on both sides of its fairway. */
const TRIP = {
  waypoints: [
    [-30.005, -20.012],
    [-30.02, -19.96],
  ],
  draft: 2,
};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const ask = (app: DirectApp, body: object = TRIP): Promise<Response> =>
  app.fetch(`/api/v1/routing/route?token=${app.token}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });

const onArchives =
  (spoil: Spoil): Spoil =>
  (key, bytes) =>
    key === POINTER_KEY ? bytes : spoil(key, bytes);

const withoutRoutes: Spoil = (key, bytes) => {
  if (key !== POINTER_KEY) return bytes;
  const manifest = JSON.parse(new TextDecoder().decode(bytes)) as {
    archives: { tileset: string }[];
  };
  const archives = manifest.archives.filter(({ tileset }) => tileset !== ROUTE_TILESET);
  return new TextEncoder().encode(JSON.stringify(withChecksum({ ...manifest, archives })));
};

const FAULTS: Readonly<Record<string, Spoil>> = {
  'no pointer': () => undefined,
  'an archive that is gone': onArchives(() => undefined),
  'an archive cut off': onArchives((_, bytes) => bytes.slice(0, bytes.length / 2)),
  'an archive of zeros': onArchives((_, bytes) => new Uint8Array(bytes.length)),
  'a flipped byte at intervals': onArchives((_, bytes) =>
    bytes.map((byte, i) => (i > 16_384 && i % 97 === 0 ? byte ^ 0x40 : byte)),
  ),
  'a bucket that throws': onArchives(() => {
    throw new Error('storage is down');
  }),
  'a build without route data': withoutRoutes,
};

describe('storage that fails', () => {
  test.each(Object.entries(FAULTS))('%s: 503', async (_name, spoil) => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = spoil;
    const response = await ask(app);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({
      code: 'charts_unavailable',
      success: false,
      messages: [expect.any(String)],
      route: [],
    });
  });

  test('a bucket that does not answer: 503, after a timeout', async () => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = onArchives(() => new Promise(() => undefined));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = ask(app);
    await vi.waitFor(() => expect(app.reads.length).toBeGreaterThan(1), { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(READ_LIMIT_MS + 1);
    expect((await asked).status).toBe(503);
  });

  test('rejects a malformed body as usual', async () => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = FAULTS['no pointer']!;
    expect((await ask(app, {})).status).toBe(400);
  });

  test('gives routes again after it recovers', async () => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = FAULTS['a flipped byte at intervals']!;
    expect((await ask(app)).status).toBe(503);
    app.spoil = (_key, bytes) => bytes;
    const response = await ask(app);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: true });
  });

  test(`gives the right route or 503 if single bytes flip (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    const { parts } = PartIndex.of(archiveOf(manifestOf(inject('demoCharts')), ROUTE_TILESET));
    const routeParts = parts.map(({ sha256 }) => partKey(sha256));
    const sound = await (await ask(await freshApp(inject('demoCharts')))).text();
    const seen = new Map<number, number>();
    for (let round = 0; round < FLIPS; round++) {
      const app = await freshApp(inject('demoCharts'));
      const places = Array.from(
        { length: 1 + Math.round((round * (MAX_FLIPPED - 1)) / (FLIPS - 1)) },
        () => random(),
      );
      const damaged = routeParts[Math.floor(random() * routeParts.length)];
      app.spoil = (key, bytes) => {
        if (key !== damaged) return bytes;
        const flipped = bytes.slice();
        for (const place of places) flipped[Math.floor(place * bytes.length)]! ^= 0x10;
        return flipped;
      };
      const response = await ask(app);
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      if (response.status === 200) expect(await response.text()).toBe(sound);
      else expect(response.status).toBe(503);
    }
    // Both outcomes must occur, otherwise the test shows nothing.
    expect([...seen.keys()].sort()).toEqual([200, 503]);
  });
});

describe('reads of the bucket', () => {
  test('are not needed for a known area', async () => {
    const app = await freshApp(inject('demoCharts'));
    const first = await (await ask(app)).text();
    expect(app.reads.length).toBeGreaterThan(1);
    const before = app.reads.length;
    expect(await (await ask(app)).text()).toBe(first);
    expect(app.reads.length).toBe(before);
    // Not even while storage is down.
    app.spoil = FAULTS['a bucket that throws']!;
    expect(await (await ask(app)).text()).toBe(first);
  });
});
