// A build with vector tiles of the maximum size. Each tile is a merge of all tiles of a harbour, so that it contains
// all kinds of features.

import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import type { TileId } from '../../shared/geo/tile.ts';
import { mergeTiles } from '../../shared/mvt/merge.ts';
import { manifestOf, withChecksum } from './manifest-of.ts';
import { tilesOfBuild } from './whole-archive.ts';
import { writeArchive } from './write-archive.ts';

/** Maximum size of a vector tile in a build, compressed (`tiles-build/README.md`). */
const MAX_BYTES = 500_000;

/**
 * Copies a build and replaces the tiles of `enc-v2` by dense ones.
 * @param side number of columns, and of rows, of the tiles whose north-west tile is `corner`
 */
export async function writeDenseCharts(
  charts: string,
  out: string,
  corner: TileId,
  side: number,
): Promise<void> {
  cpSync(charts, out, { recursive: true });
  const known = new Map(tilesOfBuild(charts, 'enc-v2').map((tile) => [tile.tileId, tile.bytes]));
  const { z } = corner;
  const tilePositions = Array.from({ length: side * side }, (_, i) => ({
    x: corner.x + (i % side),
    y: corner.y + Math.floor(i / side),
  }));
  const stored: Uint8Array[] = [];
  for (const { x, y } of tilePositions) {
    const found = known.get(zxyToTileId(z, x, y));
    if (found !== undefined) stored.push(gunzipSync(found));
  }
  if (stored.length === 0) throw new Error('There are no tiles to overlay.');
  const dense = gzipSync(denseTile(stored));
  const tiles = tilePositions.map(({ x, y }) => ({ tileId: zxyToTileId(z, x, y), bytes: dense }));
  const written = await writeArchive(out, 'enc-v2', tiles);
  const manifestPath = join(out, 'manifest.json');
  const manifest = manifestOf(out);
  const archives = manifest.archives.map((archive) =>
    archive.tileset === 'enc-v2' ? written : archive,
  );
  writeFileSync(manifestPath, JSON.stringify(withChecksum({ ...manifest, archives })));
}

/** Merges as many tiles as fit into MAX_BYTES, each several times if necessary. */
function denseTile(tiles: readonly Uint8Array[]): Uint8Array {
  const largestFirst = [...tiles].sort((a, b) => b.length - a.length);
  let [least, most] = [1, 4096];
  const overlayOf = (count: number) =>
    mergeTiles(Array.from({ length: count }, (_, i) => largestFirst[i % largestFirst.length]!));
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    // Above 64 MiB the result is certainly too large, so it is not merged.
    const size =
      middle * largestFirst[0]!.length > 2 ** 26 ? Infinity : gzipSync(overlayOf(middle)).length;
    if (size <= MAX_BYTES) least = middle;
    else most = middle;
  }
  return overlayOf(least);
}
