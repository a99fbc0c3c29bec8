// A tile on its way to the client: from the isolate's memory, the edge cache or the archive, with a
// validator, and packed only for clients that can unpack.

import type { Manifest } from '../../shared/chart/manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { currentManifest } from '../charts/catalog.ts';
import { gunzip } from '../charts/gzip.ts';
import { recall, remember, type StoredTile } from '../charts/tile-memory.ts';
import type { AppContext } from './endpoint.ts';

/** How one tileset makes its answer. */
export interface TileKind {
  readonly tileset: string;
  /** Part of cache keys: another reading of the contract is another body. */
  readonly variant: string;
  readonly contentType: string;
  /** @returns undefined where there is nothing to show; @throws ApiError */
  readonly make: (manifest: Manifest, tile: TileId) => Promise<StoredTile | undefined>;
  readonly whenNothing: () => Response;
}

const ENCODING_HEADER = 'x-stored-encoding';

export async function sendTile(c: AppContext, tile: TileId, kind: TileKind): Promise<Response> {
  const cost = c.get('cost');
  const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const manifest = await currentManifest(c.env, Date.now(), cost, defer);
  const name = `${manifest.buildId}-${kind.tileset}${kind.variant}-${tile.z}-${tile.x}-${tile.y}`;
  const headers = new Headers({
    'content-type': kind.contentType,
    'cache-control': `private, max-age=${c.get('settings').tileMaxAgeSeconds}`,
    vary: 'Accept-Encoding',
    etag: `"${name}"`,
    'x-chart-build': manifest.buildId,
  });

  const known = recall(name);
  if (known !== undefined) {
    cost.from = 'memory';
    return answer(c, known, headers);
  }
  const key = `https://tiles.invalid/${name}`;
  const stored = await fromEdge(key);
  if (stored !== undefined) {
    cost.from = 'edge';
    remember(name, stored);
    return answer(c, stored, headers);
  }
  const made = await kind.make(manifest, tile);
  cost.from = 'bucket';
  if (made === undefined) return kind.whenNothing();
  remember(name, made);
  defer(toEdge(key, made));
  return answer(c, made, headers);
}

async function answer(c: AppContext, tile: StoredTile, headers: Headers): Promise<Response> {
  if (matches(c.req.header('if-none-match'), headers.get('etag')!)) {
    headers.delete('content-type');
    return new Response(null, { status: 304, headers });
  }
  if (tile.encoding === 'gzip') {
    if (acceptsGzip(c.req.header('accept-encoding'))) {
      headers.set('content-encoding', 'gzip');
      return new Response(tile.bytes as BodyInit, { headers, encodeBody: 'manual' });
    }
    return new Response((await gunzip(tile.bytes)) as BodyInit, { headers });
  }
  return new Response(tile.bytes as BodyInit, { headers });
}

/** Weak comparison, as for GET (RFC 9110, section 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

/** A client that says nothing gets the plain bytes: it may not know how to unpack. */
function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && /(^|[,\s])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header);
}

/**
 * Stored without a content encoding: the edge cache would pack packed bytes again. The key holds
 * nothing of the request.
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
