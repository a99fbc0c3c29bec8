// GeoJSON and shoreline tiles at random places and zooms, compared with GDAL's features cut by JSTS: a tile
// contains exactly the features of the finest cell.

import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import DistanceOp from 'jsts/org/locationtech/jts/operation/distance/DistanceOp.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FeatureCollection } from '../../../shared/chart/clip-geojson.ts';
import { type TileId, tileBounds } from '../../../shared/geo/tile.ts';
import { DataTiles, type ReadFiles, readCells } from '../../support/data-tiles.ts';
import { ALASKA, encData, hasEncData } from '../../support/enc-data.ts';
import { type Expected, FinestOracle, type Geometry } from '../../support/finest-oracle.ts';
import { hasGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_128;
/** Every run covers each zoom in each region once. */
const TILES = isLong ? 400 : 7;
const reader = new GeoJSONReader(new GeometryFactory());

/**
 * Allowed error of coordinates in degrees: half the resolution of the zoom plus that of the cut; in tiles that
 * were too large, a quarter of a pixel of the last zoom they serve plus the rounding.
 */
function offBy({ z }: TileId, found: FeatureCollection | undefined): number {
  const own = (z < 12 ? 0.5e-5 : z < 14 ? 0.5e-6 : 0.5e-7) * 1.5 + 1e-7;
  if (!isCoarsened(found, z)) return own;
  const lastServed = z < 12 ? 11 : z < 14 ? 13 : z;
  return (0.25 * 360) / 2 ** lastServed / 512 + 0.75e-4;
}

/** Whether no coordinate has as many decimals as usual at the zoom. */
function isCoarsened(found: FeatureCollection | undefined, z: number): boolean {
  const features = found?.features ?? [];
  if (features.length < 100) return false;
  const decimals = [
    ...JSON.stringify(features.map((one) => one.geometry)).matchAll(/\.(\d+)/g),
  ].map(([, digits]) => digits!.length);
  return decimals.filter((count) => count > (z < 12 ? 4 : 5)).length < decimals.length / 2;
}

interface TileFeature {
  readonly id: string;
  readonly properties: { readonly layerId: string };
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

/** Differences as sentences; empty if both agree. */
function differences(tile: TileId, found: FeatureCollection | undefined, expected: Expected[]) {
  const wrong: string[] = [];
  const off = offBy(tile, found);
  const features = (found?.features ?? []) as unknown as TileFeature[];
  const byId = new Map<string, TileFeature>();
  for (const feature of features) {
    if (byId.has(feature.id)) wrong.push(`${feature.id} appears twice`);
    byId.set(feature.id, feature);
  }
  const points = new Map<string, { at: readonly number[]; isOnBorder: boolean }[]>();
  for (const one of expected) {
    if (one.shape === undefined) points.set(one.id, [...(points.get(one.id) ?? []), ...one.points]);
  }
  for (const [id, wanted] of points) {
    const given = pointsOf(byId.get(id));
    byId.delete(id);
    for (const { at, isOnBorder } of wanted) {
      const i = given.findIndex((one) => isSame(one, at, off));
      if (i >= 0) given.splice(i, 1);
      else if (!isOnBorder) wrong.push(`${id} is missing at ${at}`);
    }
    for (const at of given) wrong.push(`${id} has an extra point at ${at}`);
  }
  for (const { id, acronym, shape } of expected) {
    if (shape === undefined) continue;
    const feature = byId.get(id);
    byId.delete(id);
    const isArea = shape.getArea() > 0;
    if (feature === undefined) {
      const isNothing = isArea
        ? shape.getArea() < shape.getLength() * off
        : shape.getLength() < off;
      if (!isNothing)
        wrong.push(`${id} ${acronym} is missing: ${shape.getArea()} ${shape.getLength()}`);
      continue;
    }
    if (feature.properties.layerId !== acronym) wrong.push(`${id} is not ${acronym}`);
    wrong.push(...shapeDifferences(tile, feature, shape, off));
  }
  for (const { id, geometry } of byId.values()) {
    const shape = reader.read(geometry) as unknown as Geometry;
    if (Math.max(shape.getLength(), shape.getArea()) > 4 * off || shape.getLength() === 0) {
      wrong.push(`${id} should not be there: ${geometry.type} ${shape.getLength()}`);
    }
  }
  return wrong;
}

function shapeDifferences(
  tile: TileId,
  { id, geometry }: TileFeature,
  shape: Geometry,
  off: number,
) {
  const wrong: string[] = [];
  const actual = reader.read(geometry) as unknown as Geometry;
  const isArea = shape.getArea() > 0;
  const vertices = actual.getCoordinates().length + shape.getCoordinates().length;
  const slack = isArea ? shape.getLength() * 2 * off : vertices * 2 * off;
  const size = (one: Geometry) => (isArea ? one.getArea() : one.getLength());
  if (Math.abs(size(actual) - size(shape)) > slack) {
    wrong.push(`${id} is ${size(actual)}, not ${size(shape)}`);
  }
  // Slivers and holes below the tolerance are missing from coarsened tiles; their size is checked above.
  if (off > 1e-5) return wrong;
  const outline = (one: Geometry) => (isArea ? one.getBoundary() : one);
  for (const [from, to] of [
    [actual, shape],
    [shape, actual],
  ] as const) {
    const all = from.getCoordinates();
    const step = Math.max(1, Math.floor(all.length / 8));
    for (let i = 0; i < all.length; i += step) {
      const point = new GeometryFactory().createPoint(all[i] as never) as Geometry;
      const gap = DistanceOp.distance(point, outline(to));
      // A narrow tip at the border moves farther along the border than across it.
      const allowed = isOnBorder(all[i]!, tile, off) ? 40 * off : 2 * off;
      if (gap > allowed) wrong.push(`${id} is ${gap} off at ${all[i]!.x} ${all[i]!.y}`);
    }
  }
  return wrong;
}

function isOnBorder({ x, y }: { x: number; y: number }, tile: TileId, off: number): boolean {
  const [west, south, east, north] = tileBounds(tile);
  return [x - west, x - east, y - south, y - north].some((gap) => Math.abs(gap) < 2 * off);
}

function pointsOf(feature: TileFeature | undefined): (readonly number[])[] {
  if (feature === undefined) return [];
  const { type, coordinates } = feature.geometry;
  return type === 'Point' ? [coordinates as number[]] : [...(coordinates as number[][])];
}

const isSame = (a: readonly number[], b: readonly number[], off: number): boolean =>
  Math.abs(((a[0]! - b[0]! + 540) % 360) - 180) <= off &&
  Math.abs(a[1]! - b[1]!) <= off &&
  (a[2] === undefined ? b[2] === undefined : Math.abs(a[2] - b[2]!) < 0.005);

const columnAt = (longitude: number, z: number) => {
  const size = 2 ** z;
  return ((Math.floor(((longitude + 180) / 360) * size) % size) + size) % size;
};
const rowAt = (latitude: number, z: number) => {
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  return Math.floor(((1 - y) / 2) * 2 ** z);
};

const ANNAPOLIS = ['ENC_BUSY/US4MD81M', 'ENC_BUSY/US5MD1MC'];

const REGIONS: readonly {
  readonly name: string;
  readonly enc: readonly string[];
}[] = [
  {
    name: 'Annapolis within the Chesapeake',
    enc: ANNAPOLIS,
  },
  {
    name: 'Boston, two harbour cells of different scale',
    enc: ['ENC_BUSY/US5MA11M', 'ENC_BUSY/US5MA12M'],
  },
  { name: 'Alaska and the synthetic coarse cells', enc: [...ALASKA, 'synthetic'] },
  { name: 'cells that meet at 180° and cross it', enc: ['edge/anti_abut'] },
];

/** Cells and their data tiles by the paths of their folders, cut once for all tests of this file. */
const known = new Map<string, Promise<{ readonly read: ReadFiles[]; readonly raw: DataTiles }>>();

function tilesOf(enc: readonly string[]) {
  const name = enc.join(':');
  const made = known.get(name) ?? cutTiles(enc);
  known.set(name, made);
  return made;
}

async function cutTiles(enc: readonly string[]) {
  const read = await readCells(
    enc.map((path) => (path.startsWith('/') ? path : encData(...path.split('/')))),
  );
  return { read, raw: await DataTiles.raw(read.map(({ cell }) => cell)) };
}

/** Further cells to check, as folders separated by colons. */
const OWN = (process.env['LEADLINE_ORACLE_CELLS'] ?? '').split(':').filter((path) => path !== '');

for (const { name, enc } of OWN.length > 0 ? [{ name: 'own cells', enc: OWN }] : REGIONS) {
  describe.runIf(hasEncData && hasGdal)(`${name} (seed ${SEED})`, () => {
    let oracle: FinestOracle;
    let raw: DataTiles;
    beforeAll(async () => {
      const cut = await tilesOf(enc);
      oracle = new FinestOracle(cut.read);
      raw = cut.raw;
    });

    test('GeoJSON tiles contain exactly the features of the finest cell', () => {
      const random = seededRandom(SEED);
      const boxes = oracle.coveredBoxes();
      const tally = { tiles: 0, features: 0, empty: 0 };
      for (let i = 0; i < TILES; i++) {
        const [west, south, east, north] = boxes[i % boxes.length]!.box;
        const longitude = west + (east - west) * (random() * 1.2 - 0.1);
        const latitude = south + (north - south) * (random() * 1.2 - 0.1);
        const z = 10 + (i % 7);
        const tile = { z, x: columnAt(longitude, z), y: rowAt(latitude, z) };
        const found = raw.read(tile);
        const expected = oracle.contentOf(tile);
        expect(differences(tile, found, expected), `${z}/${tile.x}/${tile.y}`).toEqual([]);
        tally.tiles++;
        tally.features += expected.length;
        if (expected.length === 0) tally.empty++;
      }
      expect(tally.features, JSON.stringify(tally)).toBeGreaterThan(TILES);
    });
  });
}

describe.runIf(hasEncData)('the harbour chart of Annapolis within the chart of the bay', () => {
  const HARBOUR = 'US5MD1MC';
  let raw: DataTiles;
  beforeAll(async () => {
    ({ raw } = await tilesOf(ANNAPOLIS));
  });

  for (let z = 10; z <= 16; z++) {
    test(`shows its soundings, and none of the bay, at zoom ${z}`, () => {
      const [longitude, latitude] = [-76.47, 38.965];
      const tile = raw.read({ z, x: columnAt(longitude, z), y: rowAt(latitude, z) });
      const soundings = (tile?.features ?? [])
        .map((feature) => feature as unknown as TileFeature)
        .filter(({ properties }) => properties.layerId === 'SOUNDG')
        .flatMap((feature) =>
          pointsOf(feature).map((at) => ({ at, cell: feature.id.slice(0, 8) })),
        );
      const within = soundings.filter(
        ({ at: [x, y] }) => x! > -76.5 && x! < -76.45 && y! > 38.95 && y! < 38.99,
      );
      expect(within.length).toBeGreaterThan(z < 15 ? 20 : 0);
      expect(new Set(within.map(({ cell }) => cell))).toEqual(new Set([HARBOUR]));
    });
  }

  test('has no compressed GeoJSON tile of 4 MB or more', () => {
    for (let z = 10; z <= 14; z++) {
      for (const tile of raw.storedAt(z)) expect(raw.packedBytes(tile)).toBeLessThan(4_000_000);
    }
  });
});
