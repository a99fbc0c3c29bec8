// A tile of a tileset of the current build: the stored one, or the deepest stored ancestor from
// which it is made. Failures of storage are 503; they are never taken for an empty sea.

import { LRUCache } from 'lru-cache';
import { PMTiles } from 'pmtiles';
import { type Archive, buildKey, type Manifest } from '../../../shared/chart/manifest.ts';
import { ancestor, type TileId } from '../../../shared/geo/tile.ts';
import type { Env } from '../runtime/env.ts';
import { chartsUnavailable } from '../runtime/errors.ts';
import { checkGzip } from '../runtime/gzip.ts';
import { logFault } from '../runtime/log.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { ArchiveFile, ArchiveSource } from './archive-source.ts';
import { Directories } from './directories.ts';

/** What an archive holds for a tile: bytes as stored, and the tile they are of. */
interface FoundTile {
  readonly stored: Uint8Array;
  /** The same tile, or an ancestor. */
  readonly from: TileId;
}

/** All tilesets of the current build, and of the one before it while requests still end. */
const MAX_OPENED = 12;

interface Opened {
  readonly file: ArchiveFile;
  readonly directories: Directories;
}

/** A cache named as one: opened archives by key, which holds the build id. */
const opened = new LRUCache<string, Opened>({ max: MAX_OPENED });

/**
 * The stored bytes for a tile, checked whole; undefined where neither it nor an ancestor is stored.
 * @throws ApiError 503 where the archive cannot be read or is damaged
 */
export async function findTile(
  env: Env,
  manifest: Manifest,
  tileset: string,
  tile: TileId,
  cost: RequestCost,
): Promise<FoundTile | undefined> {
  return withArchive(env, manifest, tileset, cost, async ({ source, directories, archive }) => {
    const reader = new PMTiles(source, directories, async (bytes) => bytes);
    for (let z = Math.min(tile.z, archive.maxZoom); z >= archive.minZoom; z--) {
      const from = ancestor(tile, z);
      const found = await reader.getZxy(from.z, from.x, from.y);
      if (found === undefined) continue;
      const stored = new Uint8Array(found.data);
      await checkGzip(stored);
      return { stored, from };
    }
    return undefined;
  });
}

/** An archive of the current build as one request reads it. */
export interface OpenArchive {
  readonly key: string;
  readonly archive: Archive;
  readonly source: ArchiveSource;
  readonly directories: Directories;
}

/**
 * Do work on an archive of the current build.
 * @throws ApiError 503 where the archive is not there, cannot be read or is damaged
 */
export async function withArchive<T>(
  env: Env,
  manifest: Manifest,
  tileset: string,
  cost: RequestCost,
  work: (archive: OpenArchive) => Promise<T>,
): Promise<T> {
  const archive = manifest.archives.find((one) => one.tileset === tileset);
  if (archive === undefined) throw chartsUnavailable();
  const key = buildKey(manifest.buildId, archive.file);
  try {
    const { file, directories } = open(key, () => new ArchiveFile(key, archive));
    const source = new ArchiveSource(env.TILES, file, cost);
    return await work({ key, archive, source, directories });
  } catch (error) {
    logFault('charts', error);
    // What was read of it is not believed any more; the next request reads it anew.
    opened.get(key)?.file.forget(cost);
    opened.delete(key);
    throw chartsUnavailable();
  }
}

function open(key: string, make: () => ArchiveFile): Opened {
  let found = opened.get(key);
  if (found === undefined) {
    found = { file: make(), directories: new Directories() };
    opened.set(key, found);
  }
  return found;
}
