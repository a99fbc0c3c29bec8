// Returns a tile of the current build: the stored tile, or the deepest stored ancestor from which
// it is made. A storage failure results in 503, never in an empty tile.

import type { Manifest } from '../../../shared/chart/manifest.ts';
import { ancestor, type TileId } from '../../../shared/geo/tile.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { checkGzip } from '../runtime/gzip.ts';
import { logFault } from '../runtime/log.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { OpenArchive } from './open-archive.ts';

/** A stored tile: its bytes and its coordinates. */
interface FoundTile {
  readonly stored: Uint8Array;
  /** The same tile, or an ancestor. */
  readonly from: TileId;
}

/**
 * The stored bytes for a tile, verified completely; `undefined` if neither it nor an ancestor is
 * stored.
 * @param options.isExact whether to ignore ancestors
 * @throws ApiError 503 if a part of the archive is unreadable or damaged
 */
export async function findTile(
  env: Env,
  manifest: Manifest,
  tileset: string,
  tile: TileId,
  cost: RequestCost,
  { isExact = false } = {},
): Promise<FoundTile | undefined> {
  return withArchive(env, manifest, tileset, cost, async (opened) => {
    const { minZoom, maxZoom } = opened.archive;
    for (let z = Math.min(tile.z, maxZoom); z >= (isExact ? tile.z : minZoom); z--) {
      const from = ancestor(tile, z);
      const entry = await opened.entryOf(from);
      if (entry === undefined) continue;
      const stored = await opened.read(entry.offset, entry.length);
      await checkGzip(stored);
      return { stored, from };
    }
    return undefined;
  });
}

/**
 * Runs work on an archive of the current build.
 * @throws ApiError 503 if the archive is missing, or a part of it is missing, unreadable or damaged
 */
export async function withArchive<T>(
  env: Env,
  manifest: Manifest,
  tileset: string,
  cost: RequestCost,
  work: (archive: OpenArchive) => Promise<T>,
): Promise<T> {
  const archive = manifest.archives.find((one) => one.tileset === tileset);
  if (archive === undefined) throw new ApiError('charts_unavailable');
  let opened: OpenArchive | undefined;
  try {
    opened = new OpenArchive(env, manifest.buildId, archive, cost);
    return await work(opened);
  } catch (error) {
    logFault('charts', error);
    // Discard the cached parts, so that the next request reads them from storage again.
    opened?.forget();
    throw new ApiError('charts_unavailable');
  }
}
