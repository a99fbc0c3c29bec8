// The manifests in force while builds are published, the bucket fails and caches are cleared.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import { withSum } from '../../shared/chart/read-manifest.ts';
import { setKey } from '../../shared/contract/charts.ts';
import { CROWD_PREFIX } from '../../shared/crowd/bin.ts';
import type { Env } from '../../workers/service/runtime/env.ts';
import { newCost } from '../../workers/service/runtime/request-cost.ts';
import { sha256 } from '../../workers/service/runtime/sha256.ts';

const NOW = Date.UTC(2026, 10, 28);
const PAUSE_MS = 600_000;

const objects = new Map<string, string>();
let reads = 0;
let duringRead: () => void;
const TILES = {
  get: async (key: string, options?: { onlyIf?: { etagDoesNotMatch: string } }) => {
    reads++;
    duringRead();
    const text = objects.get(key);
    if (text === undefined) return null;
    if (options?.onlyIf?.etagDoesNotMatch === text) return { etag: text };
    return { etag: text, body: text, text: async () => text };
  },
};
const env = { TILES } as unknown as Env;
const cost = newCost(() => undefined);

async function publish(key: string, buildId: string, set: object = {}): Promise<void> {
  const manifest = await withSum(
    {
      ...{ format: 3, buildId, schemaVersion: '1', ...set, bounds: [0, 0, 1, 1] },
      ...{ archives: [], cells: [], datasets: [] },
    },
    sha256,
  );
  objects.set(key, JSON.stringify(manifest));
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('caches', { default: { match: async () => undefined, put: async () => {} } });
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'log').mockReturnValue();
  objects.clear();
  duringRead = () => undefined;
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const catalog = () => import('../../workers/service/charts/catalog.ts');
const crowdCatalog = () => import('../../workers/service/charts/crowd-catalog.ts');

describe.each([
  ['currentManifest', POINTER_KEY, async () => (await catalog()).currentManifest],
  ['currentCrowd', CROWD_PREFIX + POINTER_KEY, async () => (await crowdCatalog()).currentCrowd],
])('%s after a pause', (_name, key, imported) => {
  test('returns the new build, and the known one without more reads while the bucket fails', async () => {
    const current = await imported();
    const buildAt = async (nowMs: number) => (await current(env, nowMs, cost))?.buildId;
    await publish(key, 'build-one');
    expect(await buildAt(NOW)).toBe('build-one');
    await publish(key, 'build-two');
    expect(await buildAt(NOW + PAUSE_MS)).toBe('build-two');
    duringRead = () => {
      throw new Error('storage is down');
    };
    expect(await buildAt(NOW + 2 * PAUSE_MS)).toBe('build-two');
    const before = reads;
    expect(await buildAt(NOW + 2 * PAUSE_MS + 1000)).toBe('build-two');
    expect(reads).toBe(before);
  });
});

test('manifestFor returns the charts of an account if the cache is cleared during the read', async () => {
  const { manifestFor } = await catalog();
  const { MemoryReservation } = await import('../../workers/service/runtime/memory-budget.ts');
  await publish(setKey('acme', POINTER_KEY), 'build-own', { set: 'acme' });
  const build = async (nowMs: number) => (await manifestFor(env, 'acme', nowMs, cost)).buildId;
  expect(await build(NOW)).toBe('build-own');
  duringRead = () => {
    const reservation = new MemoryReservation();
    reservation.grow(2 ** 27);
    reservation.release();
  };
  expect(await build(NOW + PAUSE_MS)).toBe('build-own');
});
