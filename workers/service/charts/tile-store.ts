// Returns a tile of the current build: the stored tile, or the deepest stored ancestor from which
// it is made. A storage failure results in 503, never in an empty tile.

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

/** A stored tile: its bytes and its coordinates. */
interface FoundTile {
  readonly stored: Uint8Array;
  /** The same tile, or an ancestor. */
  readonly from: TileId;
}

/**
 * All tilesets of the current build, and of the previous build for requests that are still running.
 */
const MAX_OPENED = 12;

interface Opened {
  readonly file: ArchiveFile;
  readonly directories: Directories;
}

/** Cache: opened archives by key, which contains the build id. */
const opened = new LRUCache<string, Opened>({ max: MAX_OPENED });

/**
 * The stored bytes for a tile, verified completely; `undefined` if neither it nor an ancestor is
 * stored.
 * @throws ApiError 503 if the archive is unreadable or damaged
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

/** An archive of the current build as used by one request. */
export interface OpenArchive {
  readonly key: string;
  readonly archive: Archive;
  readonly source: ArchiveSource;
  readonly directories: Directories;
}

/**
 * Runs work on an archive of the current build.
 * @throws ApiError 503 if the archive is missing, unreadable or damaged
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
    // Discard the cached data of the archive; the next request reads it again.
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
