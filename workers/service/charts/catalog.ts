// The current build: the manifest in the bucket, cached in the isolate and checked at most once a
// minute. If the pointer is unreadable or invalid, the last valid one remains in force.

import { type Manifest, POINTER_KEY } from '../../../shared/chart/manifest.ts';
import { readManifest } from '../../../shared/chart/read-manifest.ts';
import type { Env } from '../runtime/env.ts';
import { chartsUnavailable } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { isWithinPeriod } from '../runtime/periods.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { sha256 } from '../runtime/sha256.ts';
import { withinLimit } from '../runtime/time-limit.ts';

const FRESH_MS = 60_000;
/** All isolates of a data center share the pointer in the edge cache for this time. */
const EDGE_KEY = `https://charts.invalid/${POINTER_KEY}`;

interface Held {
  readonly manifest: Manifest;
  /** ETag of the bucket; unknown if the manifest is from the edge cache. */
  readonly etag: string | undefined;
  checkedAt: number;
}

/** Cache: the current manifest of this isolate. */
let held: Held | undefined;

/** The current manifest. @throws ApiError 503 if there is no valid manifest */
export async function currentManifest(
  env: Env,
  nowMs: number,
  cost: RequestCost,
): Promise<Manifest> {
  if (held !== undefined && isWithinPeriod(nowMs, held.checkedAt, FRESH_MS)) return held.manifest;
  if (held !== undefined) {
    // Return the cached manifest at once and refresh it after the response.
    held.checkedAt = nowMs;
    cost.defer(readPointer(env, nowMs, cost).catch(() => undefined));
    return held.manifest;
  }
  held = await fromEdge(nowMs);
  if (held === undefined) {
    const text = await readPointer(env, nowMs, cost);
    if (text !== undefined) cost.defer(toEdge(text));
  }
  if (held === undefined) throw chartsUnavailable();
  return held.manifest;
}

async function readPointer(
  env: Env,
  nowMs: number,
  cost: RequestCost,
): Promise<string | undefined> {
  try {
    cost.bucketReads++;
    const etag = held?.etag;
    const unlessSame = etag === undefined ? {} : { onlyIf: { etagDoesNotMatch: etag } };
    const object = await withinLimit(env.TILES.get(POINTER_KEY, unlessSame));
    if (object === null) throw new Error('no build was published');
    if (!('body' in object)) return undefined;
    const text = await withinLimit(object.text());
    held = {
      manifest: await readManifest(text, sha256),
      etag: object.etag,
      checkedAt: nowMs,
    };
    return text;
  } catch (error) {
    logFault('pointer', error);
    throw chartsUnavailable();
  }
}

async function fromEdge(nowMs: number): Promise<Held | undefined> {
  const hit = await caches.default.match(EDGE_KEY).catch(() => undefined);
  if (hit === undefined) return undefined;
  const manifest = await hit
    .text()
    .then((text) => readManifest(text, sha256))
    .catch(() => undefined);
  return manifest === undefined ? undefined : { manifest, etag: undefined, checkedAt: nowMs };
}

async function toEdge(text: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' };
  await caches.default.put(EDGE_KEY, new Response(text, { headers })).catch(() => undefined);
}
