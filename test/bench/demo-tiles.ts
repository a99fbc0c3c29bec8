// Random vector tiles of the demo charts, which benches of tiles request.

import { PMTiles } from 'pmtiles';
import { fileSource } from '../support/pmtiles-file.ts';
import { seededRandom } from '../support/seeded-random.ts';

export interface StoredTile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Degrees around the demo's port that have tiles of their own, by the least zoom it holds for. */
const REACH: readonly (readonly [fromZoom: number, degrees: number])[] = [
  [13, 0.05],
  [11, 0.2],
  [9, 0.7],
  [7, 2],
  [5, 8],
];

/** Stored tiles, picked by the seed, in an order that jumps about. */
export async function someTiles(
  archive: string,
  count: number,
  seed: number,
): Promise<StoredTile[]> {
  const reader = new PMTiles(fileSource(archive), undefined, async (bytes) => bytes);
  const { maxZoom } = await reader.getHeader();
  const random = seededRandom(seed);
  const tiles = new Map<string, StoredTile>();
  for (let tries = 0; tiles.size < count; tries++) {
    if (tries > 200 * count) throw new Error(`The demo has only ${tiles.size} such tiles.`);
    const z = 5 + Math.floor(random() * (maxZoom - 4));
    const [, degrees] = REACH.find(([fromZoom]) => z >= fromZoom)!;
    const longitude = -20 + (random() * 2 - 1) * degrees;
    const latitude = -30.015 + (random() * 2 - 1) * degrees;
    const x = Math.floor(((longitude + 180) / 360) * 2 ** z);
    const sine = Math.sin((latitude * Math.PI) / 180);
    const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z);
    const path = `/api/v2/tiles/enc-v2/${z}/${x}/${y}.mvt`;
    const stored = tiles.has(path) ? undefined : await reader.getZxy(z, x, y);
    if (stored !== undefined) tiles.set(path, { path, bytes: Buffer.from(stored.data) });
  }
  return [...tiles.values()];
}
