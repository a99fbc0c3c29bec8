// The published crowdsourced depths: an archive with its own manifest, below the prefix `crowd/` of the
// bucket. A deployment need not publish them.

import { type Manifest, POINTER_KEY } from '../../../shared/chart/manifest.ts';
import { readManifest } from '../../../shared/chart/read-manifest.ts';
import { CROWD_PREFIX } from '../../../shared/crowd/bin.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { isWithinPeriod } from '../runtime/periods.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { sha256 } from '../runtime/sha256.ts';
import { withinLimit } from '../runtime/time-limit.ts';

const FRESH_MS = 60_000;

/** Cache: the current manifest of this isolate; no manifest if nothing is published. */
let held: { readonly manifest: Manifest | undefined; checkedAt: number } | undefined;

/** Whether the last read succeeded. */
let isRefreshed = true;

/** The bindings for reading the archive with the functions for charts. */
export const crowdEnv = ({ CHART_READS: _, ...env }: Env): Env => ({
  ...env,
  TILES: {
    get: (key: string, options?: R2GetOptions) => env.TILES.get(CROWD_PREFIX + key, options),
  } as Env['TILES'],
});

/** The manifest; `undefined` if nothing is published. @throws ApiError 503 if it is unreadable or damaged */
export async function currentCrowd(
  env: Env,
  nowMs: number,
  cost: RequestCost,
): Promise<Manifest | undefined> {
  if (held === undefined) return read(env, nowMs, cost);
  if (isWithinPeriod(nowMs, held.checkedAt, FRESH_MS)) return held.manifest;
  const known = held;
  // After a pause, the known manifest may have been replaced long ago.
  const isOld = !isWithinPeriod(nowMs, known.checkedAt, 2 * FRESH_MS);
  if (isOld) await read(env, nowMs, cost).catch(() => undefined);
  // Also after a failed read: not every request tries again.
  known.checkedAt = nowMs;
  if (isOld) return held.manifest;
  // Return the cached manifest at once and refresh it after the response.
  cost.defer(read(env, nowMs, cost).catch(() => undefined));
  return known.manifest;
}

/** The manifest. @throws ApiError 404 if nothing is published, 503 if it is unreadable or damaged */
export async function publishedCrowd(env: Env, cost: RequestCost): Promise<Manifest> {
  const manifest = await currentCrowd(env, Date.now(), cost);
  if (manifest === undefined) throw new ApiError('no_crowd_data');
  return manifest;
}

/** State of the archive of depths. `none`: nothing is published. A chart does not fail with it. */
export async function crowdState(env: Env, nowMs: number, cost: RequestCost) {
  try {
    const manifest = await currentCrowd(env, nowMs, cost);
    return {
      state: manifest === undefined ? 'none' : isRefreshed ? 'up' : 'stale',
      manifest,
    } as const;
  } catch {
    return { state: 'down', manifest: undefined } as const;
  }
}

async function read(env: Env, nowMs: number, cost: RequestCost): Promise<Manifest | undefined> {
  try {
    cost.bucketReads++;
    const object = await withinLimit(env.TILES.get(CROWD_PREFIX + POINTER_KEY));
    const text = object === null ? undefined : await withinLimit(object.text());
    const manifest = text === undefined ? undefined : await readManifest(text, sha256);
    held = { manifest, checkedAt: nowMs };
    isRefreshed = true;
    return manifest;
  } catch (error) {
    isRefreshed = false;
    logFault('crowd pointer', error);
    throw new ApiError('charts_unavailable');
  }
}
