// The skin of the earth in tiles fills the coverage of the cells once. Measured with an independent tile reader
// and polygon engine.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { BAND_ZOOMS } from '../../../shared/chart/band-for-zoom.ts';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import { hasEncData } from '../../support/enc-data.ts';
import { realCharts } from '../../support/real-charts.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import {
  areaInTile,
  openTiles,
  polygonsOf,
  TILE_UNITS,
  type TileReader,
  unionInTile,
} from '../../support/tile-geometry.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const SEED = 20_261_124;
const SKIN = ['DEPARE', 'DRGARE', 'UNSARE', 'LNDARE', 'PONTON', 'FLODOC', 'HULKES'];
const COVERAGE = ['coverage'];
/**
 * Allowed difference of a tile's ground in square units: borders are rounded to whole units, so a border of n
 * units may gain or lose about n/4; rings below 4 square units are not drawn.
 */
const TOLERANCE = TILE_UNITS / 2;
/**
 * Allowed overlap where a chart below its compilation scale is drawn over another: its positions are rounded to
 * half a pixel (4 units of 8), which moves a border by 2 units on average, along four sides of a tile.
 */
const TWICE_BELOW_SCALE = 4 * 2 * TILE_UNITS;
const TILES_PER_ZOOM = 6;

interface Region {
  readonly name: string;
  readonly charts: () => Promise<string> | string;
  /** Degrees; `east` may exceed 180. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  readonly zooms: readonly [from: number, to: number];
  /** Last zoom at which a finer chart is shown below its compilation scale over a coarse one. */
  readonly belowScaleTo?: number;
}

const regions: Region[] = [
  {
    name: 'the demo, from ocean to port',
    charts: () => inject('demoCharts'),
    box: [-20.3, -30.2, -19.7, -29.85],
    zooms: [6, 15],
  },
];
if (hasEncData) {
  regions.push(
    {
      name: 'Alaska, across bands 3, 4 and 5',
      charts: realCharts,
      box: [-152.45, 59.05, -151.15, 59.72],
      zooms: [7, 15],
    },
    {
      name: 'Tacoma under the West Coast cell',
      charts: realCharts,
      box: [-122.56, 47.22, -122.35, 47.33],
      zooms: [7, 15],
      belowScaleTo: 12,
    },
    {
      name: 'cells that meet at 180°',
      charts: realCharts,
      box: [179.3, 59.05, 180.7, 59.72],
      zooms: [9, 15],
    },
  );
}

const columnAt = (longitude: number, z: number) => Math.floor(((longitude + 180) / 360) * 2 ** z);
const rowAt = (latitude: number, z: number) => {
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  return Math.floor(((1 - y) / 2) * 2 ** z);
};

/** Some tiles of a zoom within the box, including its corners and its middle. */
function tilesOf({ box }: Region, z: number, random: () => number): [number, number][] {
  const [west, south, east, north] = box;
  const between = (from: number, to: number) => from + random() * (to - from);
  const places = [
    [(west + east) / 2, (south + north) / 2],
    ...Array.from({ length: TILES_PER_ZOOM }, () => [between(west, east), between(south, north)]),
  ];
  const tiles = places.map(([longitude, latitude]): [number, number] => [
    ((columnAt(longitude!, z) % 2 ** z) + 2 ** z) % 2 ** z,
    rowAt(latitude!, z),
  ]);
  return [...new Map(tiles.map((tile) => [tile.join(), tile])).values()];
}

for (const region of regions) {
  describe(`${region.name} (seed ${SEED})`, () => {
    let tiles: TileReader;
    beforeAll(async () => {
      tiles = openTiles(wholeArchive(await region.charts(), 'enc-v2'));
    });

    const [from, to] = region.zooms;
    for (let z = from; z <= to; z++) {
      test(`ground fills the coverage without gap or overlap at zoom ${z}`, async () => {
        const random = seededRandom(SEED + z);
        let looked = 0;
        for (const [x, y] of tilesOf(region, z, random)) {
          const tile = await tiles.read(z, x, y);
          if (tile === undefined) continue;
          const covered = polygonsOf(tile, COVERAGE);
          const coverage = unionInTile(covered);
          if (coverage === 0) continue;
          looked++;
          const where = `${z}/${x}/${y}`;
          // Each part of the coverage belongs to one cell.
          expect(areaInTile(covered) - coverage, `cells overlap in ${where}`).toBeLessThan(
            TOLERANCE,
          );
          const skin = polygonsOf(tile, SKIN);
          const ground = unionInTile(skin);
          expect(Math.abs(coverage - ground), `gap in ${where}`).toBeLessThan(TOLERANCE);
          const twice = z <= (region.belowScaleTo ?? 0) ? TWICE_BELOW_SCALE : TOLERANCE;
          expect(areaInTile(skin) - ground, `overlap in ${where}`).toBeLessThan(twice);
        }
        expect(looked).toBeGreaterThan(0);
      });
    }
  });
}

describe('the finest suitable band', () => {
  const bandsAt = async (charts: string, z: number, x: number, y: number) => {
    const tile = await openTiles(wholeArchive(charts, 'enc-v2')).read(z, x, y);
    const layer = tile?.layers['coverage'];
    const bands = Array.from({ length: layer?.length ?? 0 }, (_, i) =>
      Number(layer!.feature(i).properties['band']),
    );
    return [...new Set(bands)].sort();
  };

  test('is the only one in the middle of the port at each zoom', async () => {
    const [longitude, latitude] = [-19.985, -30.0];
    for (const { band, minZoom } of BAND_ZOOMS.filter(({ band }) => band <= 5)) {
      const z = band === 1 ? 6 : minZoom;
      const bands = await bandsAt(
        inject('demoCharts'),
        z,
        columnAt(longitude, z),
        rowAt(latitude, z),
      );
      expect(Math.max(...bands), `zoom ${z}`).toBe(band);
    }
  });

  test('is replaced by the next coarser one on ground without a cell of it', async () => {
    // Band 4 ends at 20.25° west; at its zoom, band 3 is shown beyond.
    const z = 11;
    expect(await bandsAt(inject('demoCharts'), z, columnAt(-20.6, z), rowAt(-30.1, z))).toEqual([
      3,
    ]);
  });
});

test('every cell and its acceptance checks are in the manifest', () => {
  const text = readFileSync(join(inject('demoCharts'), 'manifest.json'), 'utf8');
  const { cells } = JSON.parse(text) as Manifest;
  expect(cells.map(({ name }) => name).sort()).toEqual([
    'ZL1LAMPS',
    'ZL2LAMPS',
    'ZL3ISLES',
    'ZL4WICKB',
    'ZL5WICKE',
    'ZL5WICKW',
  ]);
  for (const cell of cells) {
    expect(cell).toMatchObject({ status: 'used', recordCountsMatch: true, problems: [] });
    expect(cell.skinDeviation).toBeLessThan(1e-9);
  }
});
