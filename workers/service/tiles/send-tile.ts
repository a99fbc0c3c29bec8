// Sends tiles from the isolate's memory, the edge cache or the archive, with an ETag, and
// compressed if the client accepts gzip.

import type { Manifest } from '../../../shared/chart/manifest.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { manifestFor } from '../charts/catalog.ts';
import { acceptsGzip } from '../http/accepted-codings.ts';
import type { AppContext } from '../http/endpoint.ts';
import { matchesEtag } from '../http/etag.ts';
import { closingHeaders, type PlainHeaders } from '../http/response-headers.ts';
import { gunzip } from '../runtime/gzip.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';

export interface StoredTile {
  readonly bytes: Uint8Array;
  readonly encoding: 'gzip' | 'identity';
}

/** Overhead of an entry in bytes. */
const ENTRY_BYTES = 200;

/** Cache. Keys contain the build id, so entries of old builds are evicted. */
const tiles = boundedCache<StoredTile>('tiles', {
  sizeOf: ({ bytes }) => bytes.length + ENTRY_BYTES,
  mostOfOne: 0.25,
});

/** How to create tiles of a tileset. */
interface TileKind {
  readonly tileset: string;
  /** Part of cache keys, for settings that change the body. */
  readonly variant?: string;
  readonly contentType: string;
  /** The build of the tileset; by default that of the charts. */
  readonly manifest?: Manifest;
  /** When the body changes without a new build, epoch milliseconds. Clients keep it until then. */
  readonly until?: number;
  /** @returns `undefined` if the tile is empty @throws ApiError */
  readonly make: (manifest: Manifest, tile: TileId) => Promise<StoredTile | undefined>;
  /** Response for an empty tile; by default 200 without a body. @throws ApiError */
  readonly whenNothing?: (headers: PlainHeaders) => Response;
}

const ACCEPT_ENCODING = 'Accept-Encoding';
const ENCODING_HEADER = 'x-stored-encoding';
/** Cached like any tile. */
const NOTHING: StoredTile = { bytes: new Uint8Array(0), encoding: 'identity' };

export async function sendTile(c: AppContext, tile: TileId, kind: TileKind): Promise<Response> {
  const cost = c.get('cost');
  const manifest =
    kind.manifest ?? (await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), cost));
  const name = `${manifest.buildId}-${kind.tileset}${kind.variant ?? ''}-${tile.z}-${tile.x}-${tile.y}`;
  const etag = `"${name}"`;
  const left = Math.floor(((kind.until ?? Number.POSITIVE_INFINITY) - Date.now()) / 1000);
  const maxAge = Math.min(c.get('settings').tileMaxAgeSeconds, Math.max(0, left));
  const headers: PlainHeaders = {
    'content-type': kind.contentType,
    'cache-control': `private, max-age=${maxAge}`,
    vary: ACCEPT_ENCODING,
    etag,
  };
  const wanted = c.req.header('if-none-match');
  // `*` matches only if the tile exists.
  const isAny = wanted?.trim() === '*';
  if (!isAny && matchesEtag(wanted, etag)) {
    // Builds never change, so a matching ETag is sufficient.
    cost.from = 'client';
    return notModified(headers);
  }
  const stored = tiles.get(name) ?? (await fetchTile(name, manifest, tile, kind, cost));
  if (cost.from === '') cost.from = 'memory';
  if (stored.bytes.length === 0 && kind.whenNothing !== undefined) return kind.whenNothing(headers);
  return isAny ? notModified(headers) : withBody(c, stored, headers);
}

async function fetchTile(
  name: string,
  manifest: Manifest,
  tile: TileId,
  kind: TileKind,
  cost: RequestCost,
): Promise<StoredTile> {
  const key = `https://tiles.invalid/${name}`;
  const cached = await fromEdge(key);
  if (cached !== undefined) {
    cost.from = 'edge';
    tiles.set(name, cached);
    return cached;
  }
  const tileBytes = (await kind.make(manifest, tile)) ?? NOTHING;
  cost.from = 'bucket';
  tiles.set(name, tileBytes);
  cost.defer(toEdge(key, tileBytes));
  return tileBytes;
}

export const withoutBody =
  (status: 204 | 304) =>
  ({ 'content-type': _, ...headers }: PlainHeaders): Response =>
    new Response(null, { status, headers });
const notModified = withoutBody(304);

async function withBody(c: AppContext, tile: StoredTile, headers: PlainHeaders): Promise<Response> {
  const all = { ...headers, ...closingHeaders(c, ACCEPT_ENCODING) };
  if (tile.encoding === 'identity') return new Response(tile.bytes as BodyInit, { headers: all });
  if (acceptsGzip(c.req.header('accept-encoding'))) {
    const packed = { ...all, 'content-encoding': 'gzip' };
    return new Response(tile.bytes as BodyInit, { headers: packed, encodeBody: 'manual' });
  }
  return new Response((await gunzip(tile.bytes)) as BodyInit, { headers: all });
}

/**
 * Stored without Content-Encoding, because the edge cache would compress the bytes again. The key
 * contains no data of the client.
 */
async function fromEdge(key: string): Promise<StoredTile | undefined> {
  const hit = await caches.default.match(key).catch(() => undefined);
  if (hit === undefined) return undefined;
  const encoding = hit.headers.get(ENCODING_HEADER) === 'gzip' ? 'gzip' : 'identity';
  return { bytes: new Uint8Array(await hit.arrayBuffer()), encoding };
}

async function toEdge(key: string, { bytes, encoding }: StoredTile): Promise<void> {
  const headers = {
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=86400',
    [ENCODING_HEADER]: encoding,
  };
  await caches.default
    .put(key, new Response(bytes as BodyInit, { headers }))
    .catch(() => undefined);
}
