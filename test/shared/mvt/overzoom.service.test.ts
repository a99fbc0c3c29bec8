// Compares derived tiles with their ancestors, read with independent code.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, inject, test } from 'vitest';
import { overzoomTile, TILE_BUFFER } from '../../../shared/mvt/overzoom.ts';
import { areaInTile, openTileBytes, polygonsOf } from '../../support/tile-geometry.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const FROM = { z: 13, x: 3641, y: 4812 };
const tileOf = (bytes: Uint8Array) => new VectorTile(new PbfReader(bytes));

/** The features of a layer with one type of geometry. */
function featuresOf(tile: VectorTile, layer: string, type: number) {
  const found = tile.layers[layer];
  return Array.from({ length: found?.length ?? 0 }, (_, i) => found!.feature(i)).filter(
    (feature) => feature.type === type,
  );
}

describe('overzoomTile', async () => {
  const parent = await openTileBytes(wholeArchive(inject('demoCharts'), 'enc-v2'), FROM);

  test('returns the ancestor at its own zoom', () => {
    expect(overzoomTile(parent, FROM, FROM)).toBe(parent);
  });

  test('covers the same area with the four children at four times the size', () => {
    const skin = ['DEPARE', 'DRGARE', 'LNDARE', 'PONTON', 'FLODOC', 'HULKES'];
    const whole = areaInTile(polygonsOf(tileOf(parent), skin));
    const children = [0, 1].flatMap((dx) =>
      [0, 1].map((dy) => {
        const tile = { z: 14, x: 2 * FROM.x + dx, y: 2 * FROM.y + dy };
        return areaInTile(polygonsOf(tileOf(overzoomTile(parent, FROM, tile)), skin));
      }),
    );
    const sum = children.reduce((a, b) => a + b, 0);
    expect(Math.abs(sum - 4 * whole)).toBeLessThan(4096);
  });

  test('keeps each point with its properties in exactly one descendant', () => {
    const depth = 3;
    const soundingsOf = (tile: VectorTile) =>
      featuresOf(tile, 'SOUNDG', 1).flatMap((feature) =>
        feature
          .loadGeometry()
          .flat()
          .filter(({ x, y }) => x >= 0 && y >= 0 && x < 4096 && y < 4096)
          .map(() => JSON.stringify(feature.properties)),
      );
    const found: string[] = [];
    for (let dx = 0; dx < 2 ** depth; dx++) {
      for (let dy = 0; dy < 2 ** depth; dy++) {
        const tile = {
          z: FROM.z + depth,
          x: FROM.x * 2 ** depth + dx,
          y: FROM.y * 2 ** depth + dy,
        };
        found.push(...soundingsOf(tileOf(overzoomTile(parent, FROM, tile))));
      }
    }
    expect(found.sort()).toEqual(soundingsOf(tileOf(parent)).sort());
    expect(found.length).toBeGreaterThan(10);
  });

  test('extends exactly to the buffer', () => {
    const tile = tileOf(
      overzoomTile(parent, FROM, { z: 16, x: FROM.x * 8 + 3, y: FROM.y * 8 + 6 }),
    );
    for (const name of Object.keys(tile.layers)) {
      for (const type of [2, 3]) {
        for (const feature of featuresOf(tile, name, type)) {
          for (const { x, y } of feature.loadGeometry().flat()) {
            expect(Math.min(x, y), name).toBeGreaterThanOrEqual(-TILE_BUFFER);
            expect(Math.max(x, y), name).toBeLessThanOrEqual(4096 + TILE_BUFFER);
          }
        }
      }
    }
  });
});
