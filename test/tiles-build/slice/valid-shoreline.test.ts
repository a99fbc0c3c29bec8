// Polygons of shoreline tiles, stored and cut on request, are valid according to JSTS.

import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import { expect, test } from 'vitest';
import { clipCollection, type FeatureCollection } from '../../../shared/chart/clip-geojson.ts';
import type { Flat } from '../../../shared/geo/clip-box.ts';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { doubleArea, oriented } from '../../../shared/geo/ring.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { mergeShoreline } from '../../../tiles-build/slice/slice-shoreline.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_201;
const TILES = 100;
const UNITS = 8192;

const clipper = await loadClipper();
const reader = new GeoJSONReader(new GeometryFactory());

const isValid = ({ features }: FeatureCollection): boolean =>
  features.every(({ geometry }) => IsValidOp.isValid(reader.read(geometry)));

const merged = (fragments: readonly Uint8Array[]): FeatureCollection =>
  JSON.parse(new TextDecoder().decode(mergeShoreline(fragments, clipper)));

/** A tile of owners with these rings, in tile units. */
const tileOf = ({ z, x, y }: TileId, ...owners: readonly (readonly Flat[])[]) =>
  merged(owners.map((rings) => new TextEncoder().encode(JSON.stringify({ z, x, y, rings }))));

/** Polygons with their outer rings and holes. */
function polygonsOf({ features }: FeatureCollection): (readonly (readonly number[])[])[][] {
  const geometry = features[0]?.geometry;
  if (geometry?.type === 'Polygon') return [[...geometry.coordinates]];
  return geometry?.type === 'MultiPolygon' ? geometry.coordinates.map((rings) => [...rings]) : [];
}

/** In tile units. */
function areaOf(tile: FeatureCollection, z: number): number {
  const scale = 2 ** z * UNITS;
  const areas = polygonsOf(tile).map((rings) =>
    rings.map((ring) =>
      doubleArea(ring.flatMap(([x, y]) => [mercatorX(x!) * scale, mercatorY(y!) * scale])),
    ),
  );
  return -areas.flat().reduce((sum, area) => sum + area / 2, 0);
}

/** Land with many corners, edges and islands that touch. */
function randomLand(random: () => number): Flat[] {
  const step = 2 ** Math.floor(9 * random());
  const whole = (end: number): number => step * Math.floor(end * random());
  const some = () =>
    Array.from({ length: 1 + Math.floor(6 * random()) }, () => {
      const corners = 3 + Math.floor(5 * random());
      return oriented(
        Array.from({ length: 2 * corners }, () => whole(20)),
        true,
      );
    });
  return clipper.difference(clipper.union(some()), random() < 0.5 ? some() : []);
}

test(`random land becomes valid polygons of the same area, and so do its parts (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let i = 0; i < TILES; i++) {
    const z = Math.floor(12 * random());
    const tile = { z, x: 0, y: Math.floor(2 ** (z - 1)) };
    const owners = [randomLand(random), ...(random() < 0.5 ? [randomLand(random)] : [])];
    const shore = tileOf(tile, ...owners);
    expect(isValid(shore), `${i}`).toBe(true);
    const area = clipper.union(owners.flat()).reduce((sum, ring) => sum + doubleArea(ring) / 2, 0);
    expect(Math.abs(areaOf(shore, z) - area), `${i}`).toBeLessThan(30 + area / 100);
    const part = { z: z + 6, x: 0, y: 64 * tile.y };
    expect(isValid(clipCollection(shore, part, tile)), `part ${i}`).toBe(true);
  }
});

test('a hole with land at two of its corners divides the land into two polygons', () => {
  const square: Flat = [0, 0, 800, 0, 800, 800, 0, 800];
  // Touches the western and the eastern border.
  const lake: Flat = [0, 400, 400, 500, 800, 400, 400, 300];
  const shore = tileOf({ z: 9, x: 250, y: 200 }, [square, lake]);
  expect(polygonsOf(shore).map((rings) => rings.length)).toEqual([1, 1]);
  expect(isValid(shore)).toBe(true);
});

test('a lake that touches the shore stays a hole in parts of the tile that cut both', () => {
  const from = { z: 6, x: 17, y: 23 };
  const land: Flat = [0, 0, 8192, 0, 8192, 8192, 5000, 8192, 4500, 3000, 4000, 8192, 0, 8192];
  const lake: Flat = [4500, 3000, 4700, 1000, 3800, 1000];
  const shore = tileOf(from, [land, lake]);
  expect(polygonsOf(shore).map((rings) => rings.length)).toEqual([2]);
  for (const x of [34, 35]) {
    const part = clipCollection(shore, { z: 7, x, y: 46 }, from);
    expect(isValid(part)).toBe(true);
  }
});

test('a chain of lakes from a bay to the border divides the land of a part', () => {
  const from = { z: 6, x: 17, y: 23 };
  const land: Flat = [0, 0, 8192, 0, 8192, 8192, 2000, 8192, 2000, 6000, 1900, 8192, 0, 8192];
  const lakes: Flat[] = [
    [2000, 6000, 3000, 5500, 2500, 5000],
    [3000, 5500, 5000, 5600, 5000, 5400],
  ];
  const shore = tileOf(from, [land, ...lakes]);
  const part = clipCollection(shore, { z: 7, x: 34, y: 47 }, from);
  expect([isValid(shore), isValid(part)]).toEqual([true, true]);
});

test('a vertex on the border of a part leaves nothing on its other side', () => {
  const land: Flat = [1000, 100, 3000, 100, 2000, 4096];
  for (let y = 0; y < 16; y++) {
    const from = { z: 4, x: 14, y };
    const shore = tileOf(from, [land]);
    const parts = [0, 1].map((i) => clipCollection(shore, { z: 5, x: 28, y: 2 * y + i }, from));
    expect(parts.map(({ features }) => features.length)).toEqual([1, 0]);
  }
});
