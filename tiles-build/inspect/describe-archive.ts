// Describes an archive and its tiles as plain objects. Keys have a fixed order, so that the output can
// be compared with golden files. Coordinates of vector tiles are in tile units.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { PMTiles } from 'pmtiles';
import { ROUTE_TILESET } from '../../shared/route/sheets.ts';
import { describeSheet } from './describe-sheet.ts';

/** Header, metadata and statistics of an archive. */
export async function describeArchive(archive: PMTiles): Promise<Record<string, unknown>> {
  const header = await archive.getHeader();
  return {
    content: header.tileType === 1 ? 'mvt' : 'json',
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
    metadata: await archive.getMetadata(),
  };
}

/** One tile, or `undefined` if the archive does not contain it. */
export async function describeTile(
  archive: PMTiles,
  z: number,
  x: number,
  y: number,
): Promise<unknown> {
  const tile = await archive.getZxy(z, x, y);
  if (tile === undefined) return undefined;
  const { name } = (await archive.getMetadata()) as { readonly name?: string };
  // A tile of the route tileset is a sheet: see `shared/route/sheets.ts`.
  if (name === ROUTE_TILESET) return describeSheet(new Uint8Array(tile.data));
  const isVector = (await archive.getHeader()).tileType === 1;
  return isVector
    ? describeVectorTile(new Uint8Array(tile.data))
    : JSON.parse(new TextDecoder().decode(tile.data));
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
