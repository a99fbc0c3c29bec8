// Lakes are water in the background, in tiles, in the shoreline and for routes.

import { join } from 'node:path';
import { tileIdToZxy } from 'pmtiles';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { sideOfRings } from '../../../shared/geo/ring.ts';
import { decodeTile } from '../../../shared/mvt/decode.ts';
import { cutAtAntimeridian } from '../../../tiles-build/background/antimeridian.ts';
import {
  findBackground,
  readBackground,
} from '../../../tiles-build/background/background-layers.ts';
import { polygonsOf } from '../../../tiles-build/background/geojson.ts';
import { cutLakesOut } from '../../../tiles-build/background/land-without-lakes.ts';
import { cutBackground } from '../../../tiles-build/pipeline/cut-background.ts';
import { type Clipper, loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { BACKGROUND, computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { areaFeature, boxRing, writeLayer } from '../../support/background-files.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { openSeaFile } from '../../support/sea-file.ts';
import {
  openTileBytes,
  openTiles,
  polygonsOf as tilePolygons,
} from '../../support/tile-geometry.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const GREAT_LAKES = [
  ['Lake Superior', -87.5, 47.6],
  ['Lake Michigan', -87, 43.5],
  ['Lake Huron', -82.4, 44.6],
  ['Lake Erie', -81.2, 42.2],
  ['Lake Ontario', -77.8, 43.6],
] as const;
const OTHER_LAKES = [
  ['Lake Victoria', 33, -1],
  ['Lake Baikal', 108.2, 53.8],
  ['Lake Ladoga', 31.4, 60.8],
] as const;
const SHORES = [
  ['Chicago', -87.8, 41.85],
  ['the middle of Michigan', -84.6, 44.3],
  ['Ontario', -80.5, 43.7],
  ['the Sahara', 10, 23],
] as const;

let clipper: Clipper;
beforeAll(async () => {
  clipper = await loadClipper();
});

/** Returns whether a position is land of a background. */
function landOf(folder: string | undefined) {
  const polygons = cutLakesOut(readBackground(findBackground(folder)), clipper)
    .filter(({ layer }) => layer === 'bg_land')
    .flatMap(({ features }) => features)
    .flatMap(({ geometry }) => cutAtAntimeridian(polygonsOf(geometry)))
    .map((rings) => rings.map((ring) => ring.slice(1).flatMap(([x, y]) => [x!, y!])));
  return (x: number, y: number) => polygons.some((rings) => sideOfRings(x, y, rings) > 0);
}

const sources = [
  { background: 'the built-in background', folder: () => undefined },
  ...(hasEncData
    ? [{ background: 'Natural Earth at 1:10 million', folder: () => encData('background') }]
    : []),
];

describe.each(sources)('$background', ({ folder }) => {
  let isLand: ReturnType<typeof landOf>;
  beforeAll(() => {
    isLand = landOf(folder());
  });

  test.each([...GREAT_LAKES, ...OTHER_LAKES])('%s is water', (_, longitude, latitude) => {
    expect(isLand(longitude, latitude)).toBe(false);
  });

  test.each([...SHORES, ['Isle Royale, in Lake Superior', -88.8, 48.01]] as const)(
    '%s is land',
    (_, longitude, latitude) => {
      expect(isLand(longitude, latitude)).toBe(true);
    },
  );
});

describe('a background folder', () => {
  const folder = scratchFolder();

  test('cuts out a lake with an island, one across the shore and one across 180°', () => {
    const own = join(folder, 'own');
    writeLayer(own, 'ne_10m_land', [
      areaFeature([boxRing(0, 0, 10, 10)]),
      areaFeature([boxRing(175, 0, 180, 10)]),
      areaFeature([boxRing(-180, 0, -175, 10)]),
    ]);
    writeLayer(own, 'ne_10m_lakes', [
      areaFeature([boxRing(2, 2, 4, 4), boxRing(2.8, 2.8, 3.2, 3.2)]),
      areaFeature([boxRing(9, 5, 11, 6)]),
      // Some sources keep rings across the antimeridian whole, with a step from 179 to −179.
      areaFeature([[...boxRing(179, 4, -179, 6)]]),
    ]);
    // An island that only the file of islands contains.
    writeLayer(own, 'ne_10m_minor_islands', [areaFeature([boxRing(2.2, 2.2, 2.4, 2.4)])]);
    const isLand = landOf(own);
    const water = [
      [2.5, 3.5],
      [9.5, 5.5],
      [179.5, 5],
      [-179.5, 5],
      [20, 5],
    ] as const;
    const land = [
      [1, 1],
      [3, 3],
      [2.3, 2.3],
      [8.5, 5.5],
      [178.5, 5],
      [-178.5, 5],
    ] as const;
    for (const [x, y] of water) expect(isLand(x, y), `${x}, ${y}`).toBe(false);
    for (const [x, y] of land) expect(isLand(x, y), `${x}, ${y}`).toBe(true);
  });

  test('with land only is completed by the built-in lakes', () => {
    const own = join(folder, 'land-alone');
    writeLayer(own, 'ne_10m_land', [areaFeature([boxRing(-100, 35, -70, 55)])]);
    const isLand = landOf(own);
    for (const [name, x, y] of GREAT_LAKES) expect(isLand(x, y), name).toBe(false);
    expect(isLand(-90, 40)).toBe(true);
  });

  test('without land and lakes is completed by the built-in ones, as its name shows', () => {
    const own = join(folder, 'names-alone');
    writeLayer(own, 'ne_10m_populated_places_simple', []);
    expect(findBackground(own).name).toBe(
      'layers 10m_populated_places_simple, land of 1:10 million, lakes of 1:50 million',
    );
    expect(landOf(own)(10, 23)).toBe(true);
  });

  test('shows an island with a deep minimum zoom in the deepest tiles away from charts', () => {
    const own = join(folder, 'islet');
    writeLayer(own, 'ne_10m_land', [
      areaFeature([boxRing(30, -30, 30.5, -29.5)], { min_zoom: 10 }),
    ]);
    writeLayer(own, 'ne_10m_lakes', []);
    const world = computeOwnership([], clipper).get(BACKGROUND)!;
    const layers = readBackground(findBackground(own));
    const shown = [...cutBackground(layers, world, clipper).vector].map(({ tileId, bytes }) => [
      tileIdToZxy(tileId)[0],
      decodeTile(bytes).map(({ name }) => name),
    ]);
    expect(shown).toEqual([[6, ['bg_land', 'bg_coast']]]);
  });

  test('without background files is rejected with the expected names', () => {
    const own = join(folder, 'other');
    writeLayer(own, 'something', []);
    expect(() => findBackground(own)).toThrow(
      /contains no background file\. Expected at least one of: ne_10m_land/,
    );
  });
});

describe('charts made with the built-in background', () => {
  const charts = () => inject('demoCharts');

  /** Tile and position within it. */
  const spotIn = (zoom: number, longitude: number, latitude: number) => {
    const [x, y] = [mercatorX(longitude) * 2 ** zoom, mercatorY(latitude) * 2 ** zoom];
    return {
      tile: { z: zoom, x: Math.floor(x), y: Math.floor(y) },
      at: [(x % 1) * 4096, (y % 1) * 4096] as const,
    };
  };

  test('have water on the Great Lakes and land around them at zooms 2 to 6', async () => {
    const tiles = openTiles(wholeArchive(charts(), 'enc-v2'));
    const isLand = async (zoom: number, longitude: number, latitude: number) => {
      const { tile, at } = spotIn(zoom, longitude, latitude);
      const read = await tiles.read(tile.z, tile.x, tile.y);
      if (read === undefined) return false;
      return tilePolygons(read, ['bg_land']).some(
        (rings) =>
          sideOfRings(
            at[0],
            at[1],
            rings.map((ring) => ring.slice(1).flat()),
          ) > 0,
      );
    };
    for (const zoom of [2, 4, 6]) {
      for (const [name, x, y] of GREAT_LAKES) {
        expect(await isLand(zoom, x, y), `${name} at zoom ${zoom}`).toBe(false);
      }
      for (const [name, x, y] of SHORES) {
        expect(await isLand(zoom, x, y), `${name} at zoom ${zoom}`).toBe(true);
      }
    }
  });

  test('have the same water in shoreline tiles', async () => {
    const isLand = async (zoom: number, longitude: number, latitude: number) => {
      const { tile } = spotIn(zoom, longitude, latitude);
      const bytes = await openTileBytes(wholeArchive(charts(), 'data-shoreline-v1'), tile);
      const { features } = JSON.parse(Buffer.from(bytes).toString('utf8'));
      const polygons: [number, number][][][] = features.flatMap(
        ({ geometry }: { geometry: { type: string; coordinates: never } }) =>
          geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
      );
      return polygons.some(
        (rings) =>
          sideOfRings(
            longitude,
            latitude,
            rings.map((ring) => ring.slice(1).flat()),
          ) > 0,
      );
    };
    for (const zoom of [2, 6]) {
      for (const [name, x, y] of GREAT_LAKES) expect(await isLand(zoom, x, y), name).toBe(false);
      for (const [name, x, y] of SHORES) expect(await isLand(zoom, x, y), name).toBe(true);
    }
  });

  test('have the same water for routes', async () => {
    const sea = await openSeaFile(charts());
    const isLand = (longitude: number, latitude: number) => {
      const { square, index } = sea.cellAt(mercatorX(longitude), mercatorY(latitude));
      return square.leastDepth[index] === 0;
    };
    for (const [name, x, y] of GREAT_LAKES) expect(isLand(x, y), name).toBe(false);
    for (const [name, x, y] of SHORES) expect(isLand(x, y), name).toBe(true);
  });
});

describe('outside charted areas', () => {
  const layersAt = async (z: number, x: number, y: number) => {
    const tile = await openTiles(wholeArchive(inject('demoCharts'), 'enc-v2')).read(z, x, y);
    return tile === undefined ? [] : Object.keys(tile.layers).sort();
  };

  test('a tile of the Sahara contains only background land', async () => {
    expect(await layersAt(5, 16, 13)).toEqual(['bg_land']);
  });

  test('a tile of the open Pacific has no layers', async () => {
    expect(await layersAt(5, 2, 19)).toEqual([]);
  });
});
