// Writes an archive of chosen tiles as the build writes it: in parts, with a record for the manifest.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../../shared/chart/manifest.ts';
import type { Bounds } from '../../shared/pmtiles/header.ts';
import { QUERY_TILESET, WORLDS_ZOOM } from '../../shared/query/bucket-layers.ts';
import { createPackWriter } from '../../tiles-build/archive/pack.ts';
import { withHash } from '../../tiles-build/archive/tile-bytes.ts';
import { PART_LIMITS, type PartLimits } from '../../tiles-build/pipeline/part-plan.ts';
import { reuseOrWriteParts, tilesInPack } from '../../tiles-build/pipeline/write-archive.ts';
import type { StoredTile } from './whole-archive.ts';

interface ArchiveOptions {
  readonly bounds?: Bounds;
  readonly limits?: PartLimits;
}

/** @param tiles compressed, in any order */
export async function writeArchive(
  folder: string,
  tileset: string,
  tiles: readonly StoredTile[],
  { bounds = [-180, -85.0511, 180, 85.0511], limits = PART_LIMITS }: ArchiveOptions = {},
): Promise<Archive> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-written-'));
  try {
    const pack = join(scratch, 'tiles.pack');
    const writer = createPackWriter(pack);
    for (const { tileId, bytes } of [...tiles].sort((a, b) => a.tileId - b.tileId)) {
      writer.add({ tileId, bytes: withHash(bytes) });
    }
    writer.finish();
    const { archive } = await reuseOrWriteParts(folder, {
      tileset,
      content: tileset.startsWith('data-') ? 'json' : 'mvt',
      worldZoom: tileset === QUERY_TILESET ? WORLDS_ZOOM : 0,
      tiles: [tilesInPack(pack)],
      bounds,
      center: { longitude: 0, latitude: 0, zoom: 9 },
      metadataOf: () => ({ name: tileset }),
      record: join(scratch, 'record.json'),
      limits,
    });
    return archive;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
