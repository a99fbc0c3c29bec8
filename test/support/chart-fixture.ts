// A small complete build, made with the project's archive writer: an island in an empty sea, with every case that
// the tile endpoints distinguish. Not a real chart.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import { type Archive, MANIFEST_FORMAT, type Manifest } from '../../shared/chart/manifest.ts';
import { type TileId, tileBounds } from '../../shared/geo/tile.ts';
import { encodeTile, LayerBuilder, polygonCommands } from '../../shared/mvt/encode.ts';
import { withChecksum } from './manifest-of.ts';
import type { StoredTile } from './whole-archive.ts';
import { writeArchive } from './write-archive.ts';

/** The tiles of the fixture, named by their purpose. */
export const PLACES = {
  /** Stored in all three tilesets. */
  charted: { z: 12, x: 2048, y: 2047 },
  /** Below `charted`, so cut from it. */
  overzoomed: { z: 13, x: 4096, y: 4094 },
  /** Without a cell and land: far from the island. */
  openSea: { z: 12, x: 100, y: 100 },
} as const satisfies Record<string, TileId>;

export const FIXTURE_BOUNDS = [-0.2, -0.2, 0.3, 0.3] as const;

export type StoredTiles = readonly (readonly [TileId, Uint8Array])[];

const MIN_GEOJSON_ZOOM = 10;

/** Write archives and their manifest into `folder`. */
export async function makeChartBuild(
  folder: string,
  options: FixtureOptions = {},
): Promise<Manifest> {
  const filler = options.filler ?? 0;
  const sets: Readonly<Record<string, StoredTiles>> = {
    'enc-v2': [
      [{ z: 0, x: 0, y: 0 }, vectorTile('land', { z: 0, x: 0, y: 0 })],
      [PLACES.charted, vectorTile('depare', PLACES.charted)],
      ...fillerTiles(filler, (tile) => vectorTile('depare', tile)),
    ],
    'data-geojson-v1': [
      ...levelsAbove(PLACES.charted, MIN_GEOJSON_ZOOM).map(
        (tile) => [tile, json(rawFeatures(tile))] as const,
      ),
      ...fillerTiles(filler, (tile) => json(rawFeatures(tile))),
    ],
    'data-shoreline-v1': [
      [{ z: 0, x: 0, y: 0 }, json(shore(islandBox()))],
      [PLACES.charted, json(shore(tileBounds(PLACES.charted)))],
      ...fillerTiles(filler, (tile) => json(shore(tileBounds(tile)))),
    ],
  };
  const archives: Archive[] = [];
  for (const [tileset, tiles] of Object.entries(sets)) {
    archives.push(await writeArchive(folder, tileset, packed(tiles), { bounds: FIXTURE_BOUNDS }));
  }
  return writeManifest(folder, archives, {
    bounds: [...FIXTURE_BOUNDS] as Manifest['bounds'],
    datasets: [
      {
        id: 'enc-fixture',
        shortDescription: 'Fixture cells',
        longDescription: 'Cells of an island that does not exist.',
        sourceUrl: 'https://example.org/enc',
        dataSourcedAt: 1_700_000_000_000,
        dataProcessedAt: 1_700_000_100_000,
      },
      {
        id: 'background-fixture',
        shortDescription: 'Fixture background',
        longDescription: 'Land of an island that does not exist.',
        dataSourcedAt: 1_700_000_000_000,
        dataProcessedAt: 1_700_000_100_000,
      },
    ],
  });
}

/** Write the manifest of archives without cells into `folder`. */
export function writeManifest(
  folder: string,
  archives: Archive[],
  more: Pick<Manifest, 'bounds' | 'datasets'>,
): Manifest {
  const hash = createHash('sha256').update(JSON.stringify(archives));
  const manifest: Manifest = withChecksum({
    format: MANIFEST_FORMAT,
    buildId: hash.digest('hex').slice(0, 20),
    schemaVersion: '1.0.0',
    archives,
    cells: [],
    ...more,
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return manifest;
}

export interface FixtureOptions {
  /** Number of further tiles of zoom 14 with different contents; thousands give leaf directories. */
  readonly filler?: number;
}

/** The filler tiles are in rows that start here, eastward. */
const FILLER_ORIGIN = { z: 14, x: 4096, y: 6000 } as const;
const FILLER_COLUMNS = 128;

/** The filler tile with a number. */
export function fillerTile(index: number): TileId {
  return {
    z: FILLER_ORIGIN.z,
    x: FILLER_ORIGIN.x + (index % FILLER_COLUMNS),
    y: FILLER_ORIGIN.y + Math.floor(index / FILLER_COLUMNS),
  };
}

function fillerTiles(count: number, content: (tile: TileId) => Uint8Array): StoredTiles {
  return Array.from({ length: count }, (_, index) => {
    const tile = fillerTile(index);
    return [tile, content(tile)] as const;
  });
}

/** Tiles as an archive stores them. */
export const packed = (tiles: StoredTiles): StoredTile[] =>
  tiles.map(([{ z, x, y }, bytes]) => ({ tileId: zxyToTileId(z, x, y), bytes: gzipSync(bytes) }));

/** The tile and its ancestors down to a zoom. */
function levelsAbove(tile: TileId, minZoom: number): TileId[] {
  return Array.from({ length: tile.z - minZoom + 1 }, (_, up) => ({
    z: tile.z - up,
    x: tile.x >> up,
    y: tile.y >> up,
  }));
}

/** A square in the middle of the tile, labelled with the tile's coordinates. */
function vectorTile(layerName: string, { z, x, y }: TileId): Uint8Array {
  const layer = new LayerBuilder(layerName);
  const [low, high] = z === 0 ? [2040, 2056] : [0, 4096];
  const square = polygonCommands([[[low, low, high, low, high, high, low, high]]]);
  layer.add(1, 3, { tile: `${z}/${x}/${y}` }, square);
  return encodeTile([layer]);
}

type Bounds = readonly [number, number, number, number];

function ringOf([west, south, east, north]: Bounds): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function rawFeatures(tile: TileId): unknown {
  const bounds = tileBounds(tile);
  const [west, , , north] = bounds;
  return {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        geometry: { type: 'Polygon', coordinates: [ringOf(bounds)] },
        properties: { layerId: 'DEPARE', attributes: { DRVAL1: 5, DRVAL2: 10 } },
      },
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [west, north] },
        properties: {
          layerId: 'BOYLAT',
          attributes: { OBJNAM: `Buoy ${tile.z}/${tile.x}/${tile.y}`, COLOUR: ['3', '4'] },
        },
      },
    ],
  };
}

const islandBox = (): Bounds => [-0.7, -0.7, 0.7, 0.7];

function shore(bounds: Bounds): unknown {
  return {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates: [ringOf(bounds)] },
      },
    ],
  };
}

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
