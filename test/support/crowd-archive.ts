// A published archive of crowdsourced depths, made from bins with the shared schema.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '../../shared/chart/manifest.ts';
import {
  BIN_LEVELS,
  CROWD_MAX_ZOOM,
  CROWD_MIN_ZOOM,
  CROWD_PREFIX,
  CROWD_TILESET,
  type CrowdBin,
  FINEST_BIN_ZOOM,
} from '../../shared/crowd/bin.ts';
import { encodeCrowdTile } from '../../shared/crowd/bin-layer.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { digestStream } from '../../tiles-build/archive/file-digest.ts';
import type { Bucket } from '../../tiles-build/publish/bucket.ts';
import { publishBuild } from '../../tiles-build/publish/publish.ts';
import { packed, type StoredTiles, writeManifest } from './chart-fixture.ts';
import type { Service } from './service.ts';
import { writeArchive } from './write-archive.ts';

/** The finest bin at a position. */
export function binAt(longitude: number, latitude: number, more: Partial<CrowdBin> = {}): CrowdBin {
  return {
    x: Math.floor(mercatorX(longitude) * 2 ** FINEST_BIN_ZOOM),
    y: Math.floor(mercatorY(latitude) * 2 ** FINEST_BIN_ZOOM),
    ...{ depth: 2.1, least: 2.5, median: 2.9, unc: 0.4, count: 34, platforms: 5 },
    ...{ from: '2026-05', to: '2026-11', reduced: true },
    ...more,
  };
}

/** The bins of each tile of all zooms; a larger bin is that with the least depth in it. */
function pyramidOf(finest: readonly CrowdBin[]): StoredTiles {
  const stored: [{ z: number; x: number; y: number }, Uint8Array][] = [];
  for (let z = CROWD_MIN_ZOOM; z <= CROWD_MAX_ZOOM; z++) {
    const scale = 2 ** (CROWD_MAX_ZOOM - z);
    const least = new Map<string, CrowdBin>();
    for (const bin of finest) {
      const [x, y] = [Math.floor(bin.x / scale), Math.floor(bin.y / scale)];
      const known = least.get(`${x}/${y}`);
      if (known === undefined || bin.depth < known.depth) least.set(`${x}/${y}`, { ...bin, x, y });
    }
    const tiles = new Map<string, CrowdBin[]>();
    for (const bin of least.values()) {
      const name = `${bin.x >> BIN_LEVELS}/${bin.y >> BIN_LEVELS}`;
      tiles.set(name, [...(tiles.get(name) ?? []), bin]);
    }
    for (const [name, bins] of tiles) {
      const [x, y] = name.split('/').map(Number) as [number, number];
      stored.push([{ z, x, y }, encodeCrowdTile({ z, x, y }, bins)]);
    }
  }
  return stored;
}

/** Publishes finest bins to the bucket of a running service. It finds them if it has not looked before. */
export async function publishCrowd(
  service: Pick<Service, 'runtime'>,
  bins: readonly CrowdBin[],
  bounds: Manifest['bounds'] = [-20.2, -30.2, -19.8, -29.8],
): Promise<Manifest> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-'));
  try {
    const archive = await writeArchive(folder, CROWD_TILESET, packed(pyramidOf(bins)));
    const manifest = writeManifest(folder, [archive], {
      bounds,
      datasets: [
        {
          id: 'tides',
          shortDescription: 'Tide stations of the tests',
          longDescription: 'Stations that do not exist.',
          dataSourcedAt: 1_700_000_000_000,
          dataProcessedAt: 1_700_000_100_000,
        },
      ],
    });
    await publishBuild(folder, await bucketOf(service));
    return manifest;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Publishes what `charts crowd` wrote to the bucket of a running service. */
export async function publishCrowdFolder(
  service: Pick<Service, 'runtime'>,
  folder: string,
): Promise<void> {
  await publishBuild(folder, await bucketOf(service));
}

async function bucketOf({ runtime }: Pick<Service, 'runtime'>): Promise<Bucket> {
  const bucket = await runtime.getR2Bucket('TILES');
  const textAt = async (key: string) => (await bucket.get(CROWD_PREFIX + key))?.text();
  const put = async (key: string, bytes: string | Uint8Array) =>
    void (await bucket.put(CROWD_PREFIX + key, bytes as string));
  return {
    digest: async (key) => {
      const object = await bucket.get(CROWD_PREFIX + key);
      if (object === null) return undefined;
      const bytes = new Uint8Array(await object.arrayBuffer());
      return digestStream(
        (async function* () {
          yield bytes;
        })(),
      );
    },
    readText: textAt,
    putFile: (key, path) => put(key, new Uint8Array(readFileSync(path))),
    putText: put,
    list: async () => [],
    delete: (key) => bucket.delete(CROWD_PREFIX + key),
    abandonUploads: async () => [],
    close: async () => undefined,
  };
}
