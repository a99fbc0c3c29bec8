// Which tiles belong together in one part, and that the index finds each tile there.

import { zxyToTileId } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { BrokenIndex, PartIndex } from '../../../shared/chart/part-index.ts';
import { partLine, regionName } from '../../../shared/chart/part-line.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { archiveTile, WORLDS_ZOOM } from '../../../shared/query/bucket-layers.ts';
import { type PartLimits, planParts } from '../../../tiles-build/pipeline/part-plan.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const MANY = { wide: 0, narrow: 1000 };

function planOf(tiles: readonly TileId[], limits: PartLimits, worldZoom = 0, size = 10) {
  const ids = tiles.map(({ z, x, y }) => zxyToTileId(z, x, y));
  const tileIds = Float64Array.from(new Set(ids)).sort();
  const parts = planParts({ tileIds, sizes: tileIds.map(() => size) }, worldZoom, limits);
  const named = Object.fromEntries(
    parts.map(({ region, runs }) => [
      regionName(region),
      runs.flatMap(({ first, end }) => [...tileIds.subarray(first, end)]),
    ]),
  );
  const lines = parts.map(({ region, runs }) => {
    const count = runs.reduce((sum, { first, end }) => sum + end - first, 0);
    const rest = { minZoom: 0, maxZoom: 30, headBytes: 1, headSum: 1 };
    return partLine({ region, sha256: 'a'.repeat(64), bytes: 1, tiles: count, ...rest });
  });
  const index = PartIndex.of({
    tileset: 'a test',
    worldZoom,
    parts: lines,
    bytes: lines.length,
    tiles: tileIds.length,
  });
  return { named, index, count: tileIds.length };
}

/** Names of the parts, and that each tile is in one part, where the index finds it, in order. */
function checked(tiles: readonly TileId[], limits: PartLimits, worldZoom = 0): string[] {
  const { named, index, count } = planOf(tiles, limits, worldZoom);
  const names = Object.keys(named);
  expect(Object.values(named).flat()).toHaveLength(count);
  for (const ids of Object.values(named)) expect(ids).toEqual([...ids].sort((a, b) => a - b));
  for (const { z, x, y } of tiles) {
    const name = names[index.partOf({ z, x, y })!]!;
    expect(named[name], `${z}/${x}/${y} in ${name}`).toContain(zxyToTileId(z, x, y));
  }
  return names;
}

const column = (x: number, y: number, zooms: readonly number[]): TileId[] =>
  zooms.map((z) => ({ z, x: Math.floor(x * 2 ** z), y: Math.floor(y * 2 ** z) }));
const ZOOMS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

describe('planParts', () => {
  it('puts the zooms above 5 into the base and each tile of zoom 5 with those below it into a part', () => {
    const tiles = [...column(0.1, 0.1, ZOOMS), ...column(0.9, 0.4, ZOOMS)];
    expect(checked(tiles, MANY)).toEqual(['base', '5/3/3', '5/28/12']);
    const { named } = planOf(tiles, MANY);
    expect(named['base']).toHaveLength(9);
    expect(named['5/3/3']).toHaveLength(11);
  });

  it('joins regions with little data', () => {
    const tiles = [...column(0.1, 0.1, ZOOMS), ...column(0.9, 0.4, ZOOMS)];
    expect(checked(tiles, { wide: 1000, narrow: 1000 })).toEqual(['base', '0/0/0']);
    expect(checked(tiles, { wide: 110, narrow: 1000 })).toEqual(['base', '1/0/0', '1/1/0']);
  });

  it('splits a part that would exceed the limit, down to single tiles', () => {
    const tiles = [...column(0.1, 0.1, ZOOMS), ...column(0.101, 0.1, ZOOMS)];
    const names = checked(tiles, { wide: 0, narrow: 50 });
    // The tile of zoom 5 above the split regions is in the base.
    expect(planOf(tiles, { wide: 0, narrow: 50 }).named['base']).toContain(zxyToTileId(5, 3, 3));
    expect(names.length).toBeGreaterThan(2);
    const deepest = checked(tiles, { wide: 0, narrow: 1 });
    expect(deepest).toEqual([
      'base',
      ...deepest.slice(1).map((name) => expect.stringMatching(/^15\//) && name),
    ]);
  });

  it('keeps the poles and both sides of 180° in their own regions', () => {
    const corners = [0, 2 ** 15 - 1].flatMap((x) => [0, 2 ** 15 - 1].map((y) => ({ z: 15, x, y })));
    expect(checked(corners, MANY).sort()).toEqual(['5/0/0', '5/0/31', '5/31/0', '5/31/31']);
  });

  it('puts all worlds of the query archive into the part of their region', () => {
    const place = { z: 9, x: 3, y: 500 };
    const tiles = [0, 5].flatMap((tier) =>
      (['near', 'whole'] as const).flatMap((kind) => [
        archiveTile({ tier, kind }, place),
        archiveTile({ tier, kind }, { z: 13, x: 48, y: 8000 }),
      ]),
    );
    expect(checked(tiles, MANY, WORLDS_ZOOM)).toEqual(['5/0/31']);
  });

  it('moves no other tile if some tiles are added', () => {
    const random = seededRandom(20_261_126);
    const some = (count: number, west: number) =>
      Array.from({ length: count }, () => column(west + random() * 0.3, random(), ZOOMS)).flat();
    const limits = { wide: 800, narrow: 1500 };
    const west = some(60, 0);
    const before = planOf([...west, ...some(20, 0.5)], limits);
    const after = planOf([...west, ...some(30, 0.5)], limits);
    expect(checked(west, limits).length).toBeGreaterThan(4);
    for (const [name, ids] of Object.entries(before.named)) {
      const [z, x] = name.split('/').map(Number) as [number, number];
      const isWest = name !== 'base' && z > 0 && (x + 1) / 2 ** z <= 0.5;
      if (isWest) expect(after.named[name], name).toEqual(ids);
    }
  });
});

describe('PartIndex', () => {
  const line = (region: TileId | undefined, tiles: number) =>
    partLine({
      region,
      sha256: 'b'.repeat(64),
      bytes: 10,
      tiles,
      minZoom: 0,
      maxZoom: 15,
      headBytes: 1,
      headSum: 1,
    });
  const of = (parts: readonly string[], tiles: number) =>
    PartIndex.of({
      tileset: 'a test',
      worldZoom: 0,
      parts: [...parts],
      bytes: 10 * parts.length,
      tiles,
    });
  const REGION = { z: 5, x: 1, y: 1 };

  it('has no part for a place without tiles', () => {
    const index = of([line(REGION, 5)], 5);
    expect(index.partOf({ z: 9, x: 17, y: 31 })).toBe(0);
    expect(index.partOf({ z: 9, x: 32, y: 31 })).toBeUndefined();
    expect(index.partOf({ z: 3, x: 0, y: 0 })).toBeUndefined();
  });

  it('rejects a list that lacks a part', () => {
    expect(() => of([line(undefined, 3)], 8)).toThrow(BrokenIndex);
  });

  it('rejects regions that overlap', () => {
    const within = { z: 6, x: 2, y: 3 };
    expect(() => of([line(REGION, 5), line(within, 3)], 8)).toThrow(/two parts for 6\/2\/3/);
    expect(() => of([line(REGION, 5), line(REGION, 3)], 8)).toThrow(/two parts for 5\/1\/1/);
  });
});
