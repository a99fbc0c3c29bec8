// A feature query while storage fails returns 503 with Retry-After, never an empty result. Also
// counts the bucket reads of a query.

import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import { type DirectApp, freshApp, type Spoil } from '../support/direct-app.ts';
import { withChecksum } from '../support/manifest-of.ts';

const WICK = { longitude: -19.988, latitude: -29.987 };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const ask = (app: DirectApp, radius = 500, position = WICK): Promise<Response> =>
  app.fetch('/api/v1/enc_query', {
    method: 'POST',
    headers: { authorization: `Bearer ${app.token}` },
    body: JSON.stringify({ position, radius, zoom: 15 }),
  });

const onArchives =
  (spoil: Spoil): Spoil =>
  (key, bytes) =>
    key === POINTER_KEY ? bytes : spoil(key, bytes);

const FAULTS: Readonly<Record<string, Spoil>> = {
  'no pointer': () => undefined,
  'an archive that is gone': onArchives(() => undefined),
  'an archive cut off': onArchives((_, bytes) => bytes.slice(0, bytes.length / 2)),
  'an archive of zeros': onArchives((_, bytes) => new Uint8Array(bytes.length)),
  'a flipped byte in every bucket': onArchives((_, bytes) =>
    bytes.map((byte, i) => (i > 16_384 && i % 97 === 0 ? byte ^ 0x40 : byte)),
  ),
  'a bucket that throws': onArchives(() => {
    throw new Error('storage is down');
  }),
  'a build from before there were queries': (key, bytes) => {
    if (key !== POINTER_KEY) return bytes;
    const manifest = JSON.parse(new TextDecoder().decode(bytes)) as {
      archives: { tileset: string }[];
    };
    const archives = manifest.archives.filter(({ tileset }) => tileset !== 'enc-query-v1');
    return new TextEncoder().encode(JSON.stringify(withChecksum({ ...manifest, archives })));
  },
};

describe('storage that fails', () => {
  test.each(Object.entries(FAULTS))('%s: 503, never an empty answer', async (_name, spoil) => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = spoil;
    const response = await ask(app);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ code: 'charts_unavailable' });
  });

  test('and all is well again when storage is', async () => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = FAULTS['a flipped byte in every bucket']!;
    expect((await ask(app)).status).toBe(503);
    app.spoil = (_key, bytes) => bytes;
    expect((await ask(app)).status).toBe(200);
  });

  test('serves data in memory if the storage fails', async () => {
    const app = await freshApp(inject('demoCharts'));
    expect((await ask(app)).status).toBe(200);
    app.spoil = FAULTS['a bucket that throws']!;
    expect((await ask(app)).status).toBe(200);
  });
});

test('reads of the bucket: at most two of the archive for a new place, none for a known one', async () => {
  const app = await freshApp(inject('demoCharts'));
  // Directories are read once, wherever that was.
  expect((await ask(app, 500, { longitude: -19.5, latitude: -29.5 })).status).toBe(200);
  const archiveReads = async (radius: number) => {
    const before = app.reads.length;
    expect((await ask(app, radius)).status).toBe(200);
    return app.reads.slice(before).filter((key) => key !== POINTER_KEY).length;
  };
  expect(await archiveReads(500)).toBeLessThanOrEqual(2);
  expect(await archiveReads(500)).toBe(0);
  expect(await archiveReads(50)).toBe(0);
});
