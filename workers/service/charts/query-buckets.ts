// Buckets of the query archive: looked up in directories, read in few range requests, and
// cached opened within a limit.

import type { Entry } from 'pmtiles';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import {
  archiveTile,
  type BucketLayer,
  QUERY_TILESET,
} from '../../../shared/query/bucket-layers.ts';
import type { Env } from '../runtime/env.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { openEntries } from './archive-entries.ts';
import { withArchive } from './tile-store.ts';

/** Cache: opened buckets; keys contain the build id. */
const opened = boundedCache<Bucket>('queryBuckets', { sizeOf: ({ weight }) => weight });

/** A bucket by its tile on a layer. */
export type BucketAt = readonly [tile: TileId, bucket: Bucket];

/** A tile that has a bucket, and where the archive stores it. */
export interface FoundBucket {
  readonly tile: TileId;
  readonly entry: Entry;
}

/**
 * Looks up tiles, in the given order, without reading their buckets.
 * @throws ApiError 503 if the archive is unreadable or damaged
 */
export function locateBuckets(
  env: Env,
  manifest: Manifest,
  layer: BucketLayer,
  tiles: readonly TileId[],
  cost: RequestCost,
): Promise<FoundBucket[]> {
  return withArchive(env, manifest, QUERY_TILESET, cost, async (archive) => {
    const found: FoundBucket[] = [];
    for (const tile of tiles) {
      // Do not await a known result: a large circle needs thousands of lookups.
      const looked = archive.entryOf(archiveTile(layer, tile));
      const entry = looked instanceof Promise ? await looked : looked;
      if (entry !== undefined) found.push({ tile, entry });
    }
    return found;
  });
}

/**
 * Reads buckets of the current build.
 * @throws ApiError 503 if the archive is unreadable or damaged
 */
export function openBuckets(
  env: Env,
  manifest: Manifest,
  found: readonly FoundBucket[],
  cost: RequestCost,
): Promise<BucketAt[]> {
  return withArchive(env, manifest, QUERY_TILESET, cost, async (archive) => {
    const entries = found.map(({ entry }) => entry);
    const buckets = await openEntries(archive, entries, {
      cache: opened,
      open: (bytes) => new Bucket(bytes),
    });
    return found.map(({ tile, entry }) => [tile, buckets.get(entry.offset)!] as const);
  });
}

/**
 * The buckets of those tiles that have one, in the given order.
 * @throws ApiError 503 if the archive is unreadable or damaged
 */
export async function readBuckets(
  env: Env,
  manifest: Manifest,
  layer: BucketLayer,
  tiles: readonly TileId[],
  cost: RequestCost,
): Promise<BucketAt[]> {
  const found = await locateBuckets(env, manifest, layer, tiles, cost);
  return openBuckets(env, manifest, found, cost);
}
