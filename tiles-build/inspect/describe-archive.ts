// Describes an archive and its tiles as plain objects. Keys have a fixed order, so that the output can
// be compared with golden files. Coordinates of vector tiles are in tile units.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { PMTiles } from 'pmtiles';
import { ROUTE_TILESET } from '../../shared/route/sheets.ts';
import { describeSheet } from './describe-sheet.ts';

/** Names of the kinds of tile of PMTiles 3. Tiles of kind 0 are described by the tileset. */
const CONTENTS: Readonly<Record<number, string>> = {
  1: 'mvt',
  2: 'png',
  3: 'jpeg',
  4: 'webp',
  5: 'avif',
};

/** Header, metadata and statistics of an archive. */
export async function describeArchive(archive: PMTiles): Promise<Record<string, unknown>> {
  const header = await archive.getHeader();
  const metadata = await archive.getMetadata();
  return {
    content: contentOf(header.tileType, nameIn(metadata)),
    zooms: [header.minZoom, header.maxZoom],
    bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat],
    tiles: header.numAddressedTiles,
    entries: header.numTileEntries,
    contents: header.numTileContents,
    clustered: header.clustered,
    bytes: {
      rootDirectory: header.rootDirectoryLength,
      leafDirectories: header.leafDirectoryLength ?? 0,
      metadata: header.jsonMetadataLength,
      tiles: header.tileDataLength ?? 0,
    },
    metadata,
  };
}

function contentOf(tileType: number, name: string | undefined): string {
  if (tileType !== 0) return CONTENTS[tileType] ?? `kind ${tileType}`;
  return name === ROUTE_TILESET ? 'route squares' : 'json';
}

const nameIn = (metadata: unknown): string | undefined =>
  (metadata as { readonly name?: string } | undefined)?.name;

/** One tile, or `undefined` if the archive does not contain it. */
export async function describeTile(
  archive: PMTiles,
  z: number,
  x: number,
  y: number,
): Promise<unknown> {
  const tile = await archive.getZxy(z, x, y);
  if (tile === undefined) return undefined;
  const bytes = new Uint8Array(tile.data);
  const name = nameIn(await archive.getMetadata());
  // A tile of the route tileset is a sheet: see `shared/route/sheets.ts`.
  if (name === ROUTE_TILESET) return describeSheet(bytes);
  const content = contentOf((await archive.getHeader()).tileType, name);
  if (content === 'mvt') return describeVectorTile(bytes);
  if (content === 'json') return JSON.parse(new TextDecoder().decode(bytes));
  return { content, bytes: bytes.length };
}

/** Source layers sorted by name, features in the order of the tile. */
function describeVectorTile(bytes: Uint8Array): unknown {
  const tile = new VectorTile(new PbfReader(bytes));
  const layers: Record<string, unknown> = {};
  for (const name of Object.keys(tile.layers).sort()) {
    const layer = tile.layers[name]!;
    layers[name] = {
      extent: layer.extent,
      features: Array.from({ length: layer.length }, (_, i) => {
        const feature = layer.feature(i);
        return {
          type: ['unknown', 'point', 'line', 'area'][feature.type],
          properties: sorted(feature.properties),
          geometry: feature.loadGeometry().map((ring) => ring.map(({ x, y }) => [x, y])),
        };
      }),
    };
  }
  return layers;
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
