// Compares tile ranges with a test of every tile of a zoom.

import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import { expect, test } from 'vitest';
import { boxesMeet, type GeoBounds } from '../../../shared/chart/bounds.ts';
import { tileBounds } from '../../../shared/geo/tile.ts';
import { archiveTile } from '../../../shared/query/bucket-layers.ts';
import {
  type IdRange,
  idRanges,
  isInBox,
  isInSpans,
  plainWorlds,
} from '../../../shared/region/tile-ranges.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const ZOOM = 6;

const idsOf = (ranges: readonly IdRange[]): number[] =>
  ranges.flatMap(({ from, to, within }) =>
    Array.from({ length: to - from }, (_, i) => from + i).filter((id) => {
      const [, x, y] = tileIdToZxy(id);
      return within === undefined || isInSpans(within, x, y);
    }),
  );

const idsIn = (bounds: GeoBounds): number[] => idsOf(idRanges(bounds, plainWorlds(ZOOM)));

/** By the boxes of all tiles. */
function everyTile(bounds: GeoBounds): number[] {
  const found: number[] = [];
  for (let id = 0; id < zxyToTileId(ZOOM + 1, 0, 0); id++) {
    const [z, x, y] = tileIdToZxy(id);
    if (boxesMeet(tileBounds({ z, x, y }), bounds)) found.push(id);
  }
  return found;
}

test.each<[string, GeoBounds]>([
  ['a small box', [-20.1, -30.1, -19.9, -29.9]],
  ['a box across 180°', [170, -20, -170, 30]],
  ['a box across 180° that is nearly the world', [10, -80, 9, 80]],
  ['the world', [-180, -85, 180, 85]],
  ['a box that ends at 180°', [179, 0, 180, 1]],
])('%s has the tiles that its ground lies on, and no other', (_, bounds) => {
  expect(idsIn(bounds)).toEqual(everyTile(bounds));
});

test('idRanges contains exactly the tiles of random boxes', () => {
  const random = seededRandom(18);
  for (let i = 0; i < 20; i++) {
    const [west, east] = [random() * 360 - 180, random() * 360 - 180];
    const [south, north] = [random() * 80 - 80, random() * 80];
    const bounds = [west, south, east, north] as const;
    expect(idsIn(bounds), bounds.join(',')).toEqual(everyTile(bounds));
  }
});

test('idRanges excludes tiles that only touch the box', () => {
  expect(isInBox([-90, 0, 0, 60], { z: 2, x: 1, y: 1 })).toBe(true);
  expect(isInBox([-90, 0, 0, 60], { z: 2, x: 2, y: 1 })).toBe(false);
  expect(isInBox([-90, 0, 0, 60], { z: 2, x: 1, y: 2 })).toBe(false);
});

test('idRanges maps a world within the query archive', () => {
  const layer = { tier: 3, kind: 'whole' } as const;
  const world = {
    zoom: 5,
    place: (tile: { z: number; x: number; y: number }) => archiveTile(layer, tile),
  };
  const ids = idsOf(idRanges([10, 10, 40, 40], [world]));
  const wanted: number[] = [];
  for (let x = 0; x < 32; x++) {
    for (let y = 0; y < 32; y++) {
      const tile = archiveTile(layer, { z: 5, x, y });
      if (isInBox([10, 10, 40, 40], { z: 5, x, y })) {
        wanted.push(zxyToTileId(tile.z, tile.x, tile.y));
      }
    }
  }
  expect(ids).toEqual(wanted.sort((a, b) => a - b));
});

test('idRanges of a very large box are few at any zoom and exact', () => {
  const bounds = [-179.99, -85, 179.99, 85] as const;
  const ranges = idRanges(bounds, plainWorlds(15));
  expect(ranges.length).toBeLessThan(40_000);
  const random = seededRandom(7);
  for (let i = 0; i < (isLong ? 2000 : 300); i++) {
    const z = 12 + Math.floor(random() * 4);
    // Half of the samples are at the border.
    const x = Math.floor((random() < 0.5 ? random() * 0.0002 : random()) * 2 ** z);
    const y = Math.floor(random() * 2 ** z);
    const id = zxyToTileId(z, x, y);
    const found = ranges.filter(({ from, to }) => from <= id && id < to);
    const isMeant = found.some(({ within }) => within === undefined || isInSpans(within, x, y));
    expect([z, x, y, found.length <= 1, isMeant]).toEqual([
      z,
      x,
      y,
      true,
      isInBox(bounds, { z, x, y }),
    ]);
  }
});
