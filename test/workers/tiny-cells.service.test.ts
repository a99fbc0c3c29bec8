// Charts with very small areas: a cell of 200 m, coverage of a few specks, and a coarse cell with only
// specks outside the finer ones. Each area must be in the tiles, queries, data tiles and routes.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import polygonClipping from 'polygon-clipping';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RouteAnswer } from '../../shared/contract/route-answer.ts';
import { CellBuilder, type Position } from '../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { areaFeature, boxRing, writeLayer } from '../support/background-files.ts';
import { keptThread } from '../support/build-threads.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Polygon, polygonsOf, TILE_UNITS } from '../support/tile-geometry.ts';

/** Units of cell coordinates in a degree, and in a metre of the meridian. */
const DEGREE = 1e7;
const METER = DEGREE / 111_195;

/** West, south, east and north in cell units. */
type Square = readonly [west: number, south: number, east: number, north: number];

interface SmallCell {
  readonly name: string;
  readonly usageBand: number;
  readonly scaleDenominator: number;
  readonly parts: readonly Square[];
  /** The areas that the cell leaves to others. */
  readonly gaps?: readonly Square[];
  readonly depth: number;
}

/** A square of the given size in metres, offset east and north from a position. */
function square(
  [longitude, latitude]: readonly [number, number],
  [east, north]: readonly [number, number],
  side: number,
): Square {
  const across = METER / Math.cos((latitude * Math.PI) / 180);
  const [x, y] = [longitude * DEGREE + east * across, latitude * DEGREE + north * METER];
  return [x, y, x + side * across, y + side * METER].map(Math.round) as unknown as Square;
}

function writeCell(folder: string, cell: SmallCell): void {
  const { name, usageBand, scaleDenominator, parts, gaps = [], depth } = cell;
  const builder = new CellBuilder({
    name,
    usageBand,
    scaleDenominator,
    edition: 1,
    update: 0,
    issueDate: '20260101',
    agency: 65_534,
  });
  parts.forEach((part, i) => {
    const rings = [ring(part), ...(i === 0 ? gaps : []).map(ring)];
    builder.area(1 + 2 * i, 'M_COVR', rings, { CATCOV: 1 });
    builder.area(2 + 2 * i, 'DEPARE', rings, { DRVAL1: depth, DRVAL2: depth + 10 });
  });
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, `${name}.000`), encodeFile(builder.contents()));
}

function ring([west, south, east, north]: Square) {
  const corners: Position[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return [{ course: { positions: corners }, atLimit: true }];
}

const CASES = [0.003, 65.003].flatMap((latitude) => {
  const [lone, apart, left] = [10.003, 20.003, 30.003].map((x) => [x, latitude] as const);
  const specks = [0, 170, 3400].map((east) => square(apart!, [east, 40], 90));
  const leftOver = [200, 2100].map((east) => square(left!, [east, 300], 150));
  const letter = latitude < 1 ? 'E' : 'N';
  const harbour = { usageBand: 5, scaleDenominator: 8000, depth: 12 };
  const cells: Readonly<Record<string, readonly SmallCell[]>> = {
    'a cell of 200 m': [
      { ...harbour, name: `ZZ5LON${letter}A`, parts: [square(lone!, [0, 0], 200)] },
    ],
    'coverage in specks': [{ ...harbour, name: `ZZ5SPK${letter}A`, parts: specks }],
    'the rest outside a finer cell': [
      {
        name: `ZZ3LEF${letter}A`,
        usageBand: 3,
        scaleDenominator: 90_000,
        depth: 12,
        parts: [square(left!, [-900, -900], 5000)],
      },
      {
        ...harbour,
        name: `ZZ5LEF${letter}A`,
        depth: 30,
        parts: [square(left!, [-1000, -1000], 5200)],
        gaps: leftOver,
      },
    ],
  };
  const grounds = {
    'a cell of 200 m': cells['a cell of 200 m']![0]!.parts,
    'coverage in specks': specks,
    'the rest outside a finer cell': leftOver,
  };
  return Object.entries(grounds).map(([what, squares]) => ({
    title: `${what} at ${Math.round(latitude)}° north`,
    squares,
    cells: cells[what]!,
  }));
});

const folder = scratchFolder();
let app: DirectApp;

beforeAll(async () => {
  const enc = join(folder, 'cells');
  for (const { cells } of CASES) for (const cell of cells) writeCell(enc, cell);
  const out = join(folder, 'charts');
  // Land around and below the cells, as the real background has at most positions.
  const background = join(folder, 'background');
  const land = CASES.map(({ squares: [first] }) => {
    const { longitude, latitude } = middleOf(first!);
    return areaFeature([boxRing(longitude - 1, latitude - 1, longitude + 1, latitude + 1)]);
  });
  writeLayer(background, 'ne_10m_land', land);
  await buildCharts({ enc: [enc], background, out, jobs: 1, pool: keptThread() });
  app = await freshApp(out);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const middleOf = ([west, south, east, north]: Square) => ({
  longitude: (west + east) / 2 / DEGREE,
  latitude: (south + north) / 2 / DEGREE,
});

/** The fractional column and row of a position in the tiles of a zoom. */
function placeIn(z: number, longitude: number, latitude: number): readonly [number, number] {
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  return [((longitude + 180) / 360) * 2 ** z, ((1 - y) / 2) * 2 ** z];
}

const askTile = async (path: string) => {
  const response = await app.fetch(`/api/v2/tiles/${path}?token=${app.token}`);
  expect(response.status).toBe(200);
  return response;
};

const areaOf = (polygons: readonly Polygon[]) =>
  polygons
    .flat()
    .flatMap((line) => line.slice(1).map((to, i) => to[1] * line[i]![0] - to[0] * line[i]![1]))
    .reduce((sum, one) => sum + one / 2, 0);

/** The covered fraction of a polygon. */
function coveredPart(polygon: Polygon, by: readonly Polygon[]): number {
  if (by.length === 0) return 0;
  const [first, ...rest] = by;
  const kept = polygonClipping.intersection(polygon, polygonClipping.union(first!, ...rest));
  return Math.abs(areaOf(kept as Polygon[]) / areaOf([polygon]));
}

const closed = (west: number, south: number, east: number, north: number): Polygon => [
  [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ],
];

describe.each(CASES)('$title', ({ squares }) => {
  test.each([12, 14, 16])('is drawn completely with its depth at zoom %i', async (z) => {
    for (const [west, south, east, north] of squares) {
      const [left, bottom] = placeIn(z, west / DEGREE, south / DEGREE);
      const [right, top] = placeIn(z, east / DEGREE, north / DEGREE);
      for (let x = Math.floor(left); x <= right; x++) {
        for (let y = Math.floor(top); y <= bottom; y++) {
          const units = (value: number, tile: number) =>
            Math.min(Math.max(Math.round((value - tile) * TILE_UNITS), 0), TILE_UNITS);
          const box = [units(left, x), units(top, y), units(right, x), units(bottom, y)] as const;
          if (box[0] === box[2] || box[1] === box[3]) continue;
          const bytes = await (await askTile(`enc-v2/${z}/${x}/${y}.mvt`)).arrayBuffer();
          const tile = new VectorTile(new PbfReader(bytes));
          const layer = tile.layers['DEPARE'];
          const depths = Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i));
          expect(depths.map(({ properties }) => properties['d1'])).toContain(12);
          expect(coveredPart(closed(...box), polygonsOf(tile, ['DEPARE']))).toBeGreaterThan(0.9);
        }
      }
    }
  });

  test.each([10, 12, 14])('is in the data tiles of zoom %i', async (z) => {
    for (const place of squares.map(middleOf)) {
      const [x, y] = placeIn(z, place.longitude, place.latitude).map(Math.floor);
      const found = (await (await askTile(`data-geojson-v1/${z}/${x}/${y}.json`)).json()) as {
        features: {
          properties: { layerId: string; attributes: { DRVAL1?: number } };
          geometry: never;
        }[];
      };
      const depths = found.features.filter(
        ({ properties }) => properties.layerId === 'DEPARE' && properties.attributes.DRVAL1 === 12,
      );
      const { longitude, latitude } = place;
      const nearby = closed(longitude - 1e-5, latitude - 1e-5, longitude + 1e-5, latitude + 1e-5);
      const polygons = depths.flatMap(({ geometry }) => {
        const { type, coordinates } = geometry as { type: string; coordinates: never };
        return (type === 'Polygon' ? [coordinates] : coordinates) as Polygon[];
      });
      expect(coveredPart(nearby, polygons)).toBeCloseTo(1, 3);
    }
  });

  test.each([11, 14, 17])('is found by a query at its centre at zoom %i', async (zoom) => {
    for (const position of squares.map(middleOf)) {
      const response = await app.fetch(`/api/v1/enc_query?extras=true&token=${app.token}`, {
        method: 'POST',
        body: JSON.stringify({ position, radius: 5, zoom }),
      });
      expect(response.status).toBe(200);
      const { results } = (await response.json()) as {
        results: { layerId: string; extras: { distance: number } }[];
      };
      const depths = results.filter(({ layerId }) => layerId === 'DEPARE');
      expect(depths.map(({ extras }) => extras.distance)).toEqual([0]);
    }
  });

  test('is charted water with its depth for a route over it', async () => {
    for (const [west, south, east, north] of squares) {
      const at = (part: number) => [
        (south + (north - south) * part) / DEGREE,
        (west + (east - west) * part) / DEGREE,
      ];
      const response = await app.fetch(`/api/v1/routing/route?token=${app.token}`, {
        method: 'POST',
        body: JSON.stringify({ waypoints: [at(0.4), at(0.6)], draft: 2 }),
      });
      expect(response.status).toBe(200);
      const answer = (await response.json()) as RouteAnswer;
      if (!answer.success) throw new Error(answer.messages.join());
      expect(answer.messages).toEqual([]);
      for (const { background, withoutDepth, minDepth } of answer.legs) {
        expect({ background, withoutDepth }).toEqual({ background: false, withoutDepth: 0 });
        expect(minDepth).toBeGreaterThan(11.5);
        expect(minDepth).toBeLessThanOrEqual(12);
      }
    }
  });
});
