// A tile of a tileset of the current build: the stored one, or the deepest stored ancestor from
// which it is made. Failures of storage are 503; they are never taken for an empty sea.

import { type Compression, PMTiles, ResolvedValueCache } from 'pmtiles';
import { type Archive, buildKey, type Manifest } from '../../shared/chart/manifest.ts';
import { ancestor, type TileId } from '../../shared/geo/tile.ts';
import type { Env } from '../env.ts';
import { chartsUnavailable } from '../http/errors.ts';
import { logFault } from '../http/log.ts';
import type { RequestCost } from '../http/request-cost.ts';
import { ArchiveSource } from './archive-source.ts';
import { gunzip } from './gzip.ts';

/** What an archive holds for a tile: bytes as stored, and the tile they are of. */
export interface FoundTile {
  readonly stored: Uint8Array;
  /** The same tile, or an ancestor. */
  readonly from: TileId;
}

const GZIP = 2 as Compression;
/** Directories of an archive kept in memory. */
const DIRECTORIES = 512;

interface Opened {
  readonly archive: Archive;
  readonly source: ArchiveSource;
  readonly reader: PMTiles;
}

/** A cache named as one: opened archives by key, which holds the build id. */
const opened = new Map<string, Opened>();
const MAX_OPENED = 8;

function open(env: Env, manifest: Manifest, tileset: string): Opened {
  const archive = manifest.archives.find((one) => one.tileset === tileset);
  if (archive === undefined) throw chartsUnavailable();
  const key = buildKey(manifest.buildId, archive.file);
  let found = opened.get(key);
  if (found === undefined) {
    const source = new ArchiveSource(env.TILES, key, archive);
    const unpack = async (bytes: ArrayBuffer, compression: Compression) =>
      compression === GZIP ? ((await gunzip(bytes)).slice().buffer as ArrayBuffer) : bytes;
    const reader = new PMTiles(
      source,
      new ResolvedValueCache(DIRECTORIES, undefined, unpack),
      async (bytes) => bytes,
    );
    found = { archive, source, reader };
    if (opened.size >= MAX_OPENED) opened.clear();
    opened.set(key, found);
  }
  return found;
}

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
  try {
    const { archive, source, reader } = open(env, manifest, tileset);
    source.cost = cost;
    for (let z = Math.min(tile.z, archive.maxZoom); z >= archive.minZoom; z--) {
      const from = ancestor(tile, z);
      const found = await reader.getZxy(from.z, from.x, from.y);
      if (found === undefined) continue;
      const stored = new Uint8Array(found.data);
      await gunzip(stored);
      return { stored, from };
    }
    return undefined;
  } catch (error) {
    logFault('charts', error);
    opened.clear();
    throw chartsUnavailable();
  }
}
