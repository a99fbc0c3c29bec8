// Writes the archive of the crowdsourced depths and its manifest, from the tiles of all shards.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset, Manifest } from '../../shared/chart/manifest.ts';
import {
  CROWD_MAX_ZOOM,
  CROWD_MIN_ZOOM,
  CROWD_TILESET,
  type CrowdBin,
  FINEST_BIN_ZOOM,
} from '../../shared/crowd/bin.ts';
import { CROWD_VECTOR_LAYERS } from '../../shared/crowd/bin-fields.ts';
import { latitudeAt, longitudeAt } from '../../shared/geo/mercator.ts';
import { mergeRecords } from '../archive/merge-packs.ts';
import { createPackWriter, openPack } from '../archive/pack.ts';
import { removeOtherParts } from '../pipeline/out-folder.ts';
import { PART_LIMITS } from '../pipeline/part-plan.ts';
import { reuseOrWriteParts, tilesInPack } from '../pipeline/write-archive.ts';
import { completeManifest, writeManifest } from '../pipeline/write-manifest.ts';
import { overviewBins, writeTiles } from './shard.ts';
import { type CrowdStore, SHARD_ZOOM } from './store.ts';

/** What the metadata of the archive and the manifest state. */
export interface CrowdCredits {
  /** Attributions of the tide stations. */
  readonly attributions: readonly string[];
  readonly now: number;
}

const DESCRIPTION = 'Crowdsourced depths, uncertain and not for navigation.';
type Bounds = readonly [west: number, south: number, east: number, north: number];

/** @returns the manifest, or undefined if no bin is public; then an earlier archive is removed */
export async function writeCrowd(
  store: CrowdStore,
  folder: string,
  credits: CrowdCredits,
): Promise<Manifest | undefined> {
  const shards = store.shards();
  const overview = shards.flatMap((shard) => [...overviewBins(store.readResult(shard).bins)]);
  if (overview.length === 0) {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  mkdirSync(folder, { recursive: true });
  const bounds = boundsOf(overview);
  const [overviewPath, path] = [join(folder, 'overview.pack'), join(folder, 'tiles.pack')];
  writeTiles(overviewPath, overview, CROWD_MIN_ZOOM, SHARD_ZOOM - 1);
  const packs = [overviewPath, ...shards.map((shard) => store.packPath(shard))];
  const merged = createPackWriter(path);
  for (const record of mergeRecords(packs.map(openPack), { scratch: folder })) merged.add(record);
  merged.finish();
  const { archive } = await reuseOrWriteParts(folder, {
    tileset: CROWD_TILESET,
    content: 'mvt',
    worldZoom: 0,
    tiles: [tilesInPack(path)],
    bounds,
    center: {
      longitude: (bounds[0] + bounds[2]) / 2,
      latitude: (bounds[1] + bounds[3]) / 2,
      zoom: 12,
    },
    metadataOf: () => metadataOf(credits),
    record: join(folder, 'parts.json'),
    limits: PART_LIMITS,
  });
  for (const one of [overviewPath, path]) rmSync(one);
  const manifest = await completeManifest({
    bounds: [...bounds],
    archives: [archive],
    cells: [],
    datasets: datasetsOf(credits),
  });
  writeManifest(folder, manifest);
  removeOtherParts(folder, manifest);
  return manifest;
}

/** @param overview bins of the last zoom above the shards */
function boundsOf(overview: readonly CrowdBin[]): Bounds {
  const side = 2 ** (FINEST_BIN_ZOOM - (CROWD_MAX_ZOOM - SHARD_ZOOM + 1));
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const { x, y } of overview) {
    west = Math.min(west, longitudeAt(x / side));
    east = Math.max(east, longitudeAt((x + 1) / side));
    south = Math.min(south, latitudeAt((y + 1) / side));
    north = Math.max(north, latitudeAt(y / side));
  }
  return [west, south, east, north];
}

function metadataOf({ attributions }: CrowdCredits): Readonly<Record<string, unknown>> {
  return {
    name: CROWD_TILESET,
    description: DESCRIPTION,
    attribution: attributions.join(' '),
    type: 'overlay',
    format: 'pbf',
    vector_layers: CROWD_VECTOR_LAYERS,
  };
}

function datasetsOf({ attributions, now }: CrowdCredits): Dataset[] {
  return [
    {
      id: 'crowd',
      shortDescription: 'Crowdsourced depths',
      longDescription: `${DESCRIPTION} Soundings of contributors who agreed to their use.`,
      dataSourcedAt: now,
      dataProcessedAt: now,
    },
    ...attributions.map((text, i) => ({
      id: `tides-${i + 1}`,
      shortDescription: 'Tide stations',
      longDescription: text,
      dataSourcedAt: now,
      dataProcessedAt: now,
    })),
  ];
}
