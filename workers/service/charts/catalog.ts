// The current build: the manifest in the bucket, cached in the isolate and checked at most once a
// minute. If the pointer is unreadable or invalid, the last valid one remains in force. An account
// with its own charts has its own pointer.

import { type Manifest, POINTER_KEY } from '../../../shared/chart/manifest.ts';
import { readManifest } from '../../../shared/chart/read-manifest.ts';
import { setKey } from '../../../shared/contract/charts.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { boundedCache, CACHE_BYTES } from '../runtime/memory-budget.ts';
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

/** A change of an account's charts is visible sooner: their users wait for it. */
const SET_FRESH_MS = 5000;
/** Memory of a manifest for each byte of its text. */
const BYTES_PER_LETTER = 2;

interface HeldSet extends Omit<Held, 'manifest'> {
  /** `undefined` if the account has no charts of its own yet. */
  readonly manifest: Manifest | undefined;
  readonly textLength: number;
}

/** Cache: the manifests of accounts with their own charts. */
const sets = boundedCache<HeldSet>('chartSets', { mostOfOne: 1 });

/**
 * The manifest of the charts that a caller sees. Without `account`, of the public charts.
 * @param account if it may have its own charts
 * @throws ApiError 503 if there is no valid manifest
 */
export async function manifestFor(
  env: Env,
  account: string | undefined,
  nowMs: number,
  cost: RequestCost,
): Promise<Manifest> {
  const accountManifest =
    account === undefined ? undefined : await setOf(env, account, nowMs, cost);
  return accountManifest ?? currentManifest(env, nowMs, cost);
}

async function setOf(
  env: Env,
  account: string,
  nowMs: number,
  cost: RequestCost,
): Promise<Manifest | undefined> {
  const known = sets.get(account);
  // After a pause, the builds of the known manifest may be gone.
  if (known === undefined || !isWithinPeriod(nowMs, known.checkedAt, 2 * SET_FRESH_MS)) {
    return (await readSet(env, account, nowMs, cost)).manifest;
  }
  if (!isWithinPeriod(nowMs, known.checkedAt, SET_FRESH_MS)) {
    known.checkedAt = nowMs;
    cost.defer(readSet(env, account, nowMs, cost).catch(() => undefined));
  }
  return known.manifest;
}

async function readSet(
  env: Env,
  account: string,
  checkedAt: number,
  cost: RequestCost,
): Promise<HeldSet> {
  // The cache can lose it while the pointer is read.
  const known = sets.get(account);
  const read = await readManifestAt(env, setKey(account, POINTER_KEY), known?.etag, cost);
  const found =
    read === 'unchanged'
      ? { ...(known as HeldSet), checkedAt }
      : {
          manifest: read?.manifest,
          etag: read?.etag,
          textLength: read?.text.length ?? 0,
          checkedAt,
        };
  // A pointer that was copied from another account must not show its charts.
  if (found.manifest !== undefined && found.manifest.set !== account)
    throw new ApiError('charts_unavailable');
  // A larger one is kept too, as the only one: otherwise each request would read it.
  const size = Math.min(200 + BYTES_PER_LETTER * found.textLength, CACHE_BYTES.chartSets);
  sets.set(account, found, { size });
  return found;
}

/** The current manifest. @throws ApiError 503 if there is no valid manifest */
export async function currentManifest(
  env: Env,
  nowMs: number,
  cost: RequestCost,
): Promise<Manifest> {
  if (held !== undefined && isWithinPeriod(nowMs, held.checkedAt, FRESH_MS)) return held.manifest;
  if (held !== undefined) {
    const known = held;
    // After a pause, the known manifest may have been replaced long ago.
    const isOld = !isWithinPeriod(nowMs, known.checkedAt, 2 * FRESH_MS);
    if (isOld) await readPointer(env, nowMs, cost).catch(() => undefined);
    // Also after a failed read: not every request tries again.
    known.checkedAt = nowMs;
    if (isOld) return held.manifest;
    // Return the cached manifest at once and refresh it after the response.
    cost.defer(readPointer(env, nowMs, cost).catch(() => undefined));
    return known.manifest;
  }
  held = await fromEdge(nowMs);
  if (held === undefined) {
    const text = await readPointer(env, nowMs, cost);
    if (text !== undefined) cost.defer(toEdge(text));
  }
  if (held === undefined) throw new ApiError('charts_unavailable');
  return held.manifest;
}

async function readPointer(
  env: Env,
  checkedAt: number,
  cost: RequestCost,
): Promise<string | undefined> {
  const read = await readManifestAt(env, POINTER_KEY, held?.etag, cost);
  if (read === 'unchanged') return undefined;
  if (read === undefined) {
    logFault('pointer', new Error('no build was published'));
    throw new ApiError('charts_unavailable');
  }
  const { manifest, etag, text } = read;
  held = { manifest, etag, checkedAt };
  return text;
}

/** `undefined` if there is no such object. @param etag of the known one @throws ApiError 503 */
async function readManifestAt(
  { TILES }: Env,
  key: string,
  etag: string | undefined,
  cost: RequestCost,
) {
  try {
    cost.bucketReads++;
    const unlessSame = etag === undefined ? {} : { onlyIf: { etagDoesNotMatch: etag } };
    const object = await withinLimit(TILES.get(key, unlessSame));
    if (object === null) return undefined;
    if (!('body' in object)) return 'unchanged';
    const text = await withinLimit(object.text());
    return { manifest: await readManifest(text, sha256), etag: object.etag, text };
  } catch (error) {
    logFault('pointer', error);
    throw new ApiError('charts_unavailable');
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
