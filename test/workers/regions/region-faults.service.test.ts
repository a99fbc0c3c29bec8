// Regions with failing storage: the right bytes, 503, or a broken connection, and never an incomplete
// file.

import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Manifest, manifestKey, POINTER_KEY } from '../../../shared/chart/manifest.ts';
import { PartIndex } from '../../../shared/chart/part-index.ts';
import { partKey } from '../../../shared/chart/part-line.ts';
import { withSum } from '../../../shared/chart/read-manifest.ts';
import { type DirectApp, freshApp } from '../../support/direct-app.ts';
import { manifestOf } from '../../support/manifest-of.ts';
import { INDEX_ONLY } from '../../support/style-assets.ts';
import { archiveOf } from '../../support/whole-archive.ts';

const QUERY = 'bbox=-20.06,-30.06,-19.94,-29.94&maxZoom=15';

const chartParts = PartIndex.of(archiveOf(manifestOf(inject('demoCharts')), 'enc-v2')).parts.map(
  ({ sha256 }) => partKey(sha256),
);

let app: DirectApp;
beforeAll(async () => {
  // The stream of the platform, which counts the bytes.
  const anyLength = class extends TransformStream {
    constructor(_length: number) {
      super();
    }
  };
  vi.stubGlobal('FixedLengthStream', anyLength);
  app = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY });
});
afterEach(() => {
  app.spoil = (_, bytes) => bytes;
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const digest = async (text: Uint8Array) => createHash('sha256').update(text).digest('hex');

const get = (path: string, method = 'GET') =>
  app.fetch(path, { method, headers: { authorization: `Bearer ${app.token}` } });

const FAULTS: readonly [string, DirectApp['spoil']][] = [
  ['is missing', (key, bytes) => (key.endsWith('.pmtiles') ? undefined : bytes)],
  ['is truncated', (key, bytes) => (key.endsWith('.pmtiles') ? bytes.slice(0, -1) : bytes)],
  [
    'cannot be read',
    (key, bytes) => {
      if (key.endsWith('.pmtiles')) throw new Error('no answer of the bucket');
      return bytes;
    },
  ],
];

test.each(FAULTS)('a region of an archive that %s is 503 without details', async (_, spoil) => {
  app.spoil = spoil;
  const answer = await get(`/api/v1/regions?${QUERY}`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'charts_unavailable' });
  expect(answer.headers.get('retry-after')).not.toBeNull();
});

test('a region whose archive fails after the first bytes ends in an error, not as a truncated file', async () => {
  let reads = 0;
  app.spoil = (key, bytes) => {
    if (!chartParts.includes(key)) return bytes;
    reads++;
    return reads > 2 ? undefined : bytes;
  };
  const answer = await get(`/api/v1/regions?${QUERY}`);
  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow();
  // The next request reads the pointer again.
  app.spoil = (_, bytes) => bytes;
  const next = await get(`/api/v1/regions?${QUERY}`, 'HEAD');
  expect(next.status).toBe(200);
});

/** Answers the request for a delta to a build whose manifest the bucket reads so. */
async function refusedDelta(older: () => Promise<object | null>) {
  const own = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY });
  const bucket = own.bucket as { get: (key: string, options?: object) => Promise<object | null> };
  const read = bucket.get;
  bucket.get = (key, options) => (key === manifestKey(OLDER) ? older() : read(key, options));
  const path = `/api/v1/regions/plan?${QUERY}&from=${OLDER}.0123456789abcdef.0123456789abcdef`;
  const answer = await own.fetch(path, { headers: { authorization: `Bearer ${own.token}` } });
  return (await answer.json()) as object;
}
const OLDER = 'an-older-build';

const failed = async (): Promise<never> => {
  throw new Error('no answer of the bucket');
};

test.each([
  ['cannot be found', 503, 'charts_unavailable', failed],
  ['cannot be read', 503, 'charts_unavailable', async () => ({ text: failed })],
  ['is gone', 404, 'region_not_known', async () => null],
])('a delta to a build whose manifest %s is %i', async (_, status, code, older) => {
  expect(await refusedDelta(older)).toMatchObject({ status, code });
});

test('deltas are counted for each client address', async () => {
  const own = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY, RATE_LIMIT_HEAVY: '1' });
  const path = `/api/v1/regions/plan?${QUERY}&from=${OLDER}.0123456789abcdef.0123456789abcdef`;
  const statuses: number[] = [];
  for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) {
    const headers = { authorization: `Bearer ${own.token}`, 'cf-connecting-ip': address };
    statuses.push((await own.fetch(path, { headers })).status);
  }
  expect(statuses).toEqual([404, 429, 404]);
});

test('a delta to a build with too many parts in the box is 413, and the error names the way out', async () => {
  const manifest = manifestOf(inject('demoCharts'));
  const empty = Array.from({ length: 301 }, (_, i) => {
    const place = `16/${29_117 + (i % 18)}/${38_485 + Math.floor(i / 18)}`;
    return `${place} ${'0'.repeat(64)} 0 0 0 0 0 0`;
  });
  const archives = manifest.archives.map((archive) => ({
    ...archive,
    parts: [...empty, ...archive.parts],
  }));
  const older: Manifest = await withSum({ ...manifest, archives, buildId: OLDER }, digest);
  const answer = await refusedDelta(async () => ({ text: async () => JSON.stringify(older) }));
  expect(answer).toMatchObject({ status: 413, limitBytes: 256 * 1024 * 1024 });
  expect(answer).toMatchObject({ detail: expect.stringContaining('region without from') });
});

test('a region without the sprites and glyphs of the service is 503', async () => {
  const bare = await freshApp(inject('demoCharts'));
  const answer = await bare.fetch(`/api/v1/regions/plan?${QUERY}`, {
    headers: { authorization: `Bearer ${bare.token}` },
  });
  expect(await answer.json()).toMatchObject({ status: 503, code: 'artwork_unavailable' });
});

test('a region without a bucket is 503', async () => {
  const bare = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY });
  bare.spoil = () => undefined;
  const headers = { authorization: `Bearer ${bare.token}` };
  expect((await bare.fetch(`/api/v1/regions/plan?${QUERY}`, { headers })).status).toBe(503);
});

test('a region of encrypted charts is 403, unless their licence permits files', async () => {
  const licensed = (extracts: boolean): DirectApp['spoil'] => {
    return async (key, bytes) => {
      if (key !== POINTER_KEY) return bytes;
      const manifest = { ...JSON.parse(Buffer.from(bytes).toString()), s63: { extracts } };
      return Buffer.from(JSON.stringify(await withSum(manifest, digest)));
    };
  };
  const answerOf = async (extracts: boolean, path: string) => {
    const own = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY });
    own.spoil = licensed(extracts);
    return own.fetch(path, { headers: { authorization: `Bearer ${own.token}` } });
  };
  for (const path of [`/api/v1/regions?${QUERY}`, `/api/v1/regions/plan?${QUERY}`]) {
    const answer = await answerOf(false, path);
    expect(answer.status, path).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'region_not_licensed' });
    expect((await answerOf(true, path)).status, path).toBe(200);
  }
});
