// Soundings and dangers along the borders of tiles: points are selected on the whole ground of a cell, so
// that the borders of tiles are not visible.

import type { VectorTile } from '@mapbox/vector-tile';
import { beforeAll, expect, test } from 'vitest';
import { hasEncData } from '../../support/enc-data.ts';
import { tilesOf } from '../../support/pmtiles-file.ts';
import { realCharts } from '../../support/real-charts.ts';
import { openTiles } from '../../support/tile-geometry.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

/** Zooms below the scales of the charts, at which they are thinned, and at the scales. */
const ZOOMS = [12, 13, 14, 15];
const TILE_PIXELS = 512;
const UNITS_A_PIXEL = 8;
/** A point this close to a border counts as along it. */
const ALONG_PIXELS = 8;
const SHARE_ALONG = 1 - ((TILE_PIXELS - 2 * ALONG_PIXELS) / TILE_PIXELS) ** 2;
const KINDS = { soundings: ['SOUNDG'], dangers: ['UWTROC', 'OBSTRN', 'WRECKS'] } as const;

interface Shown {
  /** Layer, position in the world and depth. */
  readonly key: string;
  readonly isAlong: boolean;
}

const shown: Record<keyof typeof KINDS, Shown[]> = { soundings: [], dangers: [] };

function pointsOf(tile: VectorTile, name: string, [z, x, y]: readonly number[]): Shown[] {
  const layer = tile.layers[name];
  const points: Shown[] = [];
  for (let i = 0; i < (layer?.length ?? 0); i++) {
    const feature = layer!.feature(i);
    const { mz, rz, d, dd } = feature.properties;
    if (feature.type !== 1 || Number((name === 'SOUNDG' ? mz : rz) ?? 0) > z!) continue;
    for (const at of feature.loadGeometry().flat()) {
      const [left, top] = [at.x / UNITS_A_PIXEL, at.y / UNITS_A_PIXEL];
      const place = [x! * TILE_PIXELS + left, y! * TILE_PIXELS + top];
      const inward = Math.min(left, top, TILE_PIXELS - left, TILE_PIXELS - top);
      const key = `${name} ${z} ${place.join()} ${dd ?? d} ${feature.id}`;
      points.push({ key, isAlong: inward < ALONG_PIXELS });
    }
  }
  return points;
}

beforeAll(async () => {
  if (!hasEncData) return;
  const path = wholeArchive(await realCharts(), 'enc-v2');
  const tiles = openTiles(path);
  for (const [z, x, y] of await tilesOf(path)) {
    if (!ZOOMS.includes(z)) continue;
    const tile = await tiles.read(z, x, y);
    if (tile === undefined) continue;
    for (const kind of ['soundings', 'dangers'] as const) {
      for (const name of KINDS[kind]) shown[kind].push(...pointsOf(tile, name, [z, x, y]));
    }
  }
});

test.runIf(hasEncData).each(['soundings', 'dangers'] as const)(
  '%s of real cells are as dense along the borders of tiles as elsewhere, without duplicates',
  (kind) => {
    const points = shown[kind];
    expect(points.length).toBeGreaterThan(1000);
    const along = points.filter(({ isAlong }) => isAlong).length;
    const density = along / points.length / SHARE_ALONG;
    // With so few points, random variation reaches a tenth.
    expect(density).toBeGreaterThan(0.85);
    expect(density).toBeLessThan(1.15);
    expect(new Set(points.map(({ key }) => key)).size).toBe(points.length);
  },
);
