// Nothing is drawn twice where cells meet, and borders of cells are not drawn as real lines.

import type { VectorTile, VectorTileFeature } from '@mapbox/vector-tile';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { hasEncData } from '../../support/enc-data.ts';
import { realCharts } from '../../support/real-charts.ts';
import { openTiles } from '../../support/tile-geometry.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const columnAt = (longitude: number, z: number) => Math.floor(((longitude + 180) / 360) * 2 ** z);
const rowAt = (latitude: number, z: number) => {
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  return Math.floor(((1 - y) / 2) * 2 ** z);
};

/** All tiles of a zoom over a box of degrees. */
async function tilesOver(
  charts: string,
  z: number,
  [west, south, east, north]: readonly [number, number, number, number],
): Promise<{ readonly tile: VectorTile; readonly x: number; readonly y: number }[]> {
  const reader = openTiles(wholeArchive(charts, 'enc-v2'));
  const found = [];
  for (let x = columnAt(west, z); x <= columnAt(east, z); x++) {
    for (let y = rowAt(north, z); y <= rowAt(south, z); y++) {
      const tile = await reader.read(z, x, y);
      if (tile !== undefined) found.push({ tile, x, y });
    }
  }
  return found;
}

function featuresOf(tile: VectorTile, layer: string): VectorTileFeature[] {
  const found = tile.layers[layer];
  return Array.from({ length: found?.length ?? 0 }, (_, i) => found!.feature(i));
}

/** Every point of a layer within its tile: position in the world, and properties. */
const pointsOf = (tiles: Awaited<ReturnType<typeof tilesOver>>, layer: string): string[] =>
  tiles.flatMap(({ tile, x, y }) =>
    featuresOf(tile, layer)
      .filter(({ type }) => type === 1)
      .flatMap((feature) =>
        feature
          .loadGeometry()
          .flat()
          .filter((at) => at.x >= 0 && at.y >= 0 && at.x < 4096 && at.y < 4096)
          .map(
            (at) => `${x * 4096 + at.x} ${y * 4096 + at.y} ${JSON.stringify(feature.properties)}`,
          ),
      ),
  );

const repeated = (keys: readonly string[]) => keys.filter((key, i) => keys.indexOf(key) !== i);

describe('the border of two cells', () => {
  test('each point appears once in the demo port', async () => {
    const tiles = await tilesOver(inject('demoCharts'), 14, [-20.03, -30.06, -19.97, -29.97]);
    for (const layer of ['SOUNDG', 'BOYLAT', 'LIGHTS', 'UWTROC', 'WRECKS', 'AREASYM', 'SBDARE']) {
      expect(repeated(pointsOf(tiles, layer)), layer).toEqual([]);
    }
  });

  let charts: string;
  beforeAll(async () => {
    if (hasEncData) charts = await realCharts();
  });

  test.runIf(hasEncData)('each sounding and rock appears once in Alaska', async () => {
    // Around 151.8° west and 59.4° north four cells of band 4 and three of band 5 meet.
    const tiles = await tilesOver(charts, 12, [-152, 59.3, -151.6, 59.5]);
    for (const layer of ['SOUNDG', 'UWTROC', 'LIGHTS', 'SBDARE', 'LNDELV']) {
      const points = pointsOf(tiles, layer);
      expect(repeated(points), layer).toEqual([]);
    }
    expect(pointsOf(tiles, 'SOUNDG').length).toBeGreaterThan(100);
  });

  test('no coast, contour or quay follows the border', async () => {
    // The two harbour cells of the demo meet at 20° west: no line may follow that meridian.
    const exact = ((-20 + 180) / 360) * 2 ** 15 * 4096;
    const tiles = await tilesOver(inject('demoCharts'), 15, [-20.005, -30.06, -19.995, -29.97]);
    const along: string[] = [];
    for (const { tile, x, y } of tiles) {
      for (const layer of ['COALNE', 'SLCONS', 'DEPCNT', 'DEPEDGE', 'LNDARE', 'DRGARE', 'UNSARE']) {
        for (const feature of featuresOf(tile, layer).filter(({ type }) => type === 2)) {
          for (const line of feature.loadGeometry()) {
            line.slice(1).forEach((to, i) => {
              const from = line[i]!;
              const onBorder = [from, to].every((at) => Math.abs(x * 4096 + at.x - exact) <= 1);
              if (onBorder && Math.abs(to.y - from.y) > 4) along.push(`${layer} 15/${x}/${y}`);
            });
          }
        }
      }
    }
    expect(along).toEqual([]);
  });
});
