// A build with vector tiles of the maximum size. Each tile is a merge of all tiles of a harbour, so that it contains
// all kinds of features.

import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PMTiles, zxyToTileId } from 'pmtiles';
import type { Manifest } from '../../shared/chart/manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { mergeTiles } from '../../shared/mvt/merge.ts';
import { createArchiveWriter } from '../../tiles-build/archive/pmtiles-writer.ts';
import { withChecksum } from './manifest-of.ts';
import { fileSource } from './pmtiles-file.ts';

/** Maximum size of a vector tile in a build, compressed (`tiles-build/README.md`). */
const MOST_BYTES = 500_000;

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
  const path = join(out, 'enc-v2.pmtiles');
  const reader = new PMTiles(fileSource(join(charts, 'enc-v2.pmtiles')), undefined, async (b) => b);
  const { z } = corner;
  const tilePositions = Array.from({ length: side * side }, (_, i) => ({
    x: corner.x + (i % side),
    y: corner.y + Math.floor(i / side),
  }));
  const stored: Uint8Array[] = [];
  for (const { x, y } of tilePositions) {
    const found = await reader.getZxy(z, x, y);
    if (found !== undefined) stored.push(gunzipSync(new Uint8Array(found.data)));
  }
  if (stored.length === 0) throw new Error('There are no tiles to overlay.');
  const dense = gzipSync(denseTile(stored));
  const writer = createArchiveWriter({
    path,
    content: 'mvt',
    bounds: [-180, -85, 180, 85],
    center: { longitude: 0, latitude: 0, zoom: 9 },
    metadata: () => ({}),
  });
  const ids = tilePositions.map(({ x, y }) => zxyToTileId(z, x, y)).sort((a, b) => a - b);
  for (const id of ids) writer.add(id, dense);
  const { bytes, minZoom, maxZoom, tiles, head } = writer.finish();
  const manifestPath = join(out, 'manifest.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest;
  const archives = manifest.archives.map((archive) =>
    archive.tileset === 'enc-v2'
      ? {
          ...archive,
          bytes,
          sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
          minZoom,
          maxZoom,
          tiles,
          head: Buffer.from(head).toString('base64'),
        }
      : archive,
  );
  writeFileSync(manifestPath, JSON.stringify(withChecksum({ ...manifest, archives })));
}

/** Merges as many tiles as fit into MOST_BYTES, each several times if necessary. */
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
    if (size <= MOST_BYTES) least = middle;
    else most = middle;
  }
  return overlayOf(least);
}
