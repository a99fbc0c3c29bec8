// Bins of the crowdsourced depths, read from the tiles of their archive.

import type { Manifest } from '../../../shared/chart/manifest.ts';
import { CROWD_TILESET, type PlacedBin } from '../../../shared/crowd/bin.ts';
import { decodeCrowdTile } from '../../../shared/crowd/bin-layer.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import type { Env } from '../runtime/env.ts';
import { gunzip } from '../runtime/gzip.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { crowdEnv } from './crowd-catalog.ts';
import { findTile } from './tile-store.ts';

/** Tiles that are read at once. */
export const TILES_AT_ONCE = 8;

/**
 * The bins of tiles. Where there are bins, every zoom has them, so a tile that is not stored is empty.
 * @throws ApiError 503
 */
export async function readBins(
  env: Env,
  manifest: Manifest,
  tiles: readonly TileId[],
  cost: RequestCost,
): Promise<PlacedBin[]> {
  const bins: PlacedBin[] = [];
  const bucket = crowdEnv(env);
  for (let at = 0; at < tiles.length; at += TILES_AT_ONCE) {
    const found = await Promise.all(
      tiles
        .slice(at, at + TILES_AT_ONCE)
        .map((tile) => findTile(bucket, manifest, CROWD_TILESET, tile, cost, { isExact: true })),
    );
    for (const one of found) {
      if (one === undefined) continue;
      for (const bin of decodeCrowdTile(one.from, await gunzip(one.stored))) bins.push(bin);
    }
  }
  return bins;
}
