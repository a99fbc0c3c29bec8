// A build in many parts whose tiles contain their own address, with and without heads in its manifest.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import { MANIFEST_FORMAT, type Manifest } from '../../shared/chart/manifest.ts';
import { PartIndex } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { withChecksum } from './manifest-of.ts';
import { archiveOf } from './whole-archive.ts';
import { writeArchive } from './write-archive.ts';

/** Each region of zoom 5 has its own part. */
const LIMITS = { wide: 0, narrow: 2 ** 20 };

interface PartCharts {
  readonly manifest: Manifest;
  /** Key of the part of `enc-v2` that stores a tile, or would store it. */
  readonly partWith: (tile: TileId) => string | undefined;
}

export const addressOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

export async function writePartCharts(
  folder: string,
  tiles: readonly TileId[],
  { hasHeads = false, limits = LIMITS } = {},
): Promise<PartCharts> {
  const stored = tiles.map((tile) => ({
    tileId: zxyToTileId(tile.z, tile.x, tile.y),
    bytes: gzipSync(addressOf(tile)),
  }));
  const archives = [
    await writeArchive(folder, 'enc-v2', stored, { limits }),
    await writeArchive(folder, 'enc-query-v1', []),
  ].map((archive) => (hasHeads ? archive : { ...archive, heads: [] }));
  const manifest: Manifest = withChecksum({
    format: MANIFEST_FORMAT,
    buildId: 'a-build-of-parts',
    schemaVersion: '1.0.0',
    bounds: [-180, -80, 180, 80] as Manifest['bounds'],
    archives,
    cells: [],
    datasets: [
      {
        id: 'enc',
        shortDescription: 'Charts',
        longDescription: 'Charts of a test. Not for navigation.',
        dataSourcedAt: 1,
        dataProcessedAt: 2,
      },
    ],
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const index = PartIndex.of(archiveOf(manifest, 'enc-v2'));
  return {
    manifest,
    partWith: (tile) => {
      const number = index.partOf(tile);
      return number === undefined ? undefined : partKey(index.parts[number]!.sha256);
    },
  };
}
