import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { BIN_LEVELS, type CrowdBin } from '../../../shared/crowd/bin.ts';
import { tileSpan, tilesOfBox } from '../../../shared/crowd/bin-area.ts';
import {
  CROWD_LAYER,
  CROWD_POINT_LAYER,
  decodeCrowdTile,
  encodeCrowdTile,
} from '../../../shared/crowd/bin-layer.ts';

const tile = { z: 15, x: 16_000, y: 11_000 };
const bin: CrowdBin = {
  x: tile.x * 32 + 31,
  y: tile.y * 32,
  depth: 2.1,
  least: 2.5,
  median: 3.25,
  unc: 0.4,
  count: 34,
  platforms: 5,
  from: '2026-05',
  to: '2026-11',
  reduced: true,
  charted: 3.5,
  diff: 0.9,
};
const dry: CrowdBin = { ...bin, x: bin.x - 5, y: bin.y + 7, depth: -1, reduced: false };

describe('encodeCrowdTile', () => {
  const bytes = encodeCrowdTile(tile, [bin, dry]);

  it('is read back without loss', () => {
    const zoom = tile.z + BIN_LEVELS;
    expect(decodeCrowdTile(tile, bytes)).toEqual([
      { ...bin, zoom },
      { ...dry, zoom },
    ]);
  });

  it('contains squares and centres that another reader finds on the ground', () => {
    const { layers } = new VectorTile(new PbfReader(bytes));
    const square = layers[CROWD_LAYER]!.feature(0);
    const centre = layers[CROWD_POINT_LAYER]!.feature(0);
    expect(square.loadGeometry()[0]!.map(({ x, y }) => [x, y])).toEqual([
      [3968, 0],
      [4096, 0],
      [4096, 128],
      [3968, 128],
      [3968, 0],
    ]);
    expect(centre.loadGeometry()).toMatchObject([[{ x: 4032, y: 64 }]]);
    expect(square.properties).toEqual(centre.properties);
    expect(centre.properties).toMatchObject({ depth: 2.1, from: '2026-05', reduced: true });
  });

  it('rejects a bin of another tile', () => {
    expect(() => encodeCrowdTile(tile, [{ ...bin, x: bin.x + 1 }])).toThrow(RangeError);
  });
});

describe('the tiles of a box', () => {
  it.each([
    ['around the world except half a degree', [1, 50, 0.5, 51], [128, 256]],
    ['across 180°', [179, 50, -179, 51], [2, 4]],
    ['north of the square of Web Mercator', [0, 86, 1, 90], [1]],
  ] as const)(
    '%s are listed once, with valid rows',
    (_name, [west, south, east, north], counts) => {
      const box = { west, south, east, north };
      const tiles = tilesOfBox(box, 7, 1000)!;
      const names = tiles.map(({ x, y }) => `${x}/${y}`);
      expect(new Set(names).size).toBe(names.length);
      expect(counts).toContain(names.length);
      for (const { x, y } of tiles)
        for (const place of [x, y]) expect(place).toBeGreaterThanOrEqual(0);
      const { left, right, top, bottom } = tileSpan(box, 7);
      expect((right - left + 1) * (bottom - top + 1)).toBe(names.length);
    },
  );
});
