// Shoreline tiles, compared with GDAL's land cut by JSTS: from zoom 4 on the land of the finest cell; below it
// and outside all cells the land of the background.

import OverlayOp from 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FeatureCollection, Position } from '../../../shared/chart/clip-geojson.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { backgroundLand } from '../../support/background-land.ts';
import { DataTiles, readCells } from '../../support/data-tiles.ts';
import { ALASKA, encData, hasEncData } from '../../support/enc-data.ts';
import { FinestOracle, type Geometry, rectangle } from '../../support/finest-oracle.ts';
import { hasGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_129;
const PLACES = isLong ? 4000 : 40;
/** Every run covers each zoom at least once. */
const TILES = isLong ? 200 : 7;
/** Units along a side of a tile. */
const UNITS = 8192;

type Box = readonly [west: number, south: number, east: number, north: number];

type Rings = readonly (readonly Position[])[];

function polygonsOf(tile: FeatureCollection | undefined): readonly Rings[] {
  const geometry = tile?.features[0]?.geometry;
  if (geometry === undefined) return [];
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
}

function isOnLand(polygons: readonly Rings[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [ax, ay] = ring[i - 1] as [number, number];
      const [bx, by] = ring[i] as [number, number];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

function areaOf(polygons: readonly Rings[]): number {
  return polygons.flat().reduce((sum, ring) => {
    const [x0, y0] = ring[0] as [number, number];
    const twice = ring.slice(1).reduce((total, [bx, by], i) => {
      const [ax, ay] = ring[i] as [number, number];
      return total + (ax - x0) * (by! - y0) - (bx! - x0) * (ay - y0);
    }, 0);
    // Outer rings anticlockwise, holes clockwise.
    return sum + twice / 2;
  }, 0);
}

function tileAt(longitude: number, latitude: number, z: number): TileId {
  const size = 2 ** z;
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  const x = Math.floor(((longitude + 180) / 360) * size);
  return { z, x: ((x % size) + size) % size, y: Math.floor(((1 - y) / 2) * size) };
}

/** Size of a unit of a stored tile in degrees. */
const unitAt = (z: number): number => 360 / 2 ** z / UNITS;

const REGIONS: readonly {
  readonly name: string;
  readonly enc: readonly string[];
  readonly land: Box;
}[] = [
  {
    name: 'Annapolis within the Chesapeake',
    enc: ['ENC_BUSY/US4MD81M', 'ENC_BUSY/US5MD1MC'],
    land: [-76.47, 38.5, -70, 42],
  },
  {
    name: 'Alaska and the synthetic coarse cells',
    enc: [...ALASKA, 'synthetic'],
    land: [-152, 50, -120, 70],
  },
];

for (const { name, enc, land: box } of REGIONS) {
  describe.runIf(hasEncData && hasGdal)(`${name} (seed ${SEED})`, () => {
    let oracle: FinestOracle;
    let shore: DataTiles;
    beforeAll(async () => {
      const read = await readCells(enc.map((path) => encData(...path.split('/'))));
      oracle = new FinestOracle(read);
      shore = await DataTiles.shore(
        read.map(({ cell }) => cell),
        backgroundLand(box),
      );
    });

    test('places in shoreline tiles are land if they are land in the finest cell, at zooms 0 to 16', () => {
      const random = seededRandom(SEED);
      const boxes = oracle.coveredBoxes();
      const tally = { judged: 0, land: 0, nearShore: 0 };
      for (let i = 0; i < PLACES; i++) {
        const [west, south, east, north] = boxes[i % boxes.length]!.box;
        const x = west + (east - west) * (random() * 1.1 - 0.05);
        const y = south + (north - south) * (random() * 1.1 - 0.05);
        const z = Math.floor(random() * 17);
        const tile = tileAt(x, y, z);
        // A vertex that bends the shore by at most a unit is removed, then positions are rounded.
        const reach = 3 * unitAt(shore.storedZoom(tile)!);
        const isBackground = x > box[0] && x < box[2] && y > box[1] && y < box[3];
        const charted = z < 4 ? { gap: reach } : oracle.landAt(x, y, reach);
        const toBackground = Math.min(
          ...[x - box[0], x - box[2], y - box[1], y - box[3]].map(Math.abs),
        );
        const isNear = charted.gap < reach || (charted.land === undefined && toBackground < reach);
        if (isNear) {
          tally.nearShore++;
          continue;
        }
        const wanted = charted.land ?? isBackground;
        const where = `${z}/${tile.x}/${tile.y} at ${x} ${y}`;
        expect(isOnLand(polygonsOf(shore.read(tile)), x, y), where).toBe(wanted);
        tally.judged++;
        if (wanted) tally.land++;
      }
      expect(tally.judged, JSON.stringify(tally)).toBeGreaterThan(PLACES / 4);
      expect(tally.land).toBeGreaterThan(PLACES / 20);
    });

    test('the area of shoreline tiles equals that of the land of the finest cells, at zooms 4 to 16', () => {
      const random = seededRandom(SEED + 1);
      const boxes = oracle.coveredBoxes();
      let land = 0;
      for (let i = 0; i < TILES; i++) {
        const [west, south, east, north] = boxes[i % boxes.length]!.box;
        const [x, y] = [west + (east - west) * random(), south + (north - south) * random()];
        const tile = tileAt(x, y, 4 + (i % 13));
        const { area, length, uncharted } = oracle.shoreOf(tile);
        const beyond = OverlayOp.intersection(uncharted, rectangle(box)) as Geometry;
        const unit = unitAt(shore.storedZoom(tile)!);
        const slack = (length + beyond.getLength()) * unit + 4 * unit * unit;
        const found = areaOf(polygonsOf(shore.read(tile)));
        expect(Math.abs(found - area - beyond.getArea()), JSON.stringify(tile)).toBeLessThan(slack);
        land += area;
      }
      expect(land).toBeGreaterThan(0);
    });
  });
}
