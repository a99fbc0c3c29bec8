// The tilesets that a build writes, and the metadata of their archives.

import { vectorLayers } from '../../shared/chart/tile-schema.ts';
import { NAMES_TILESET } from '../../shared/names/name-page.ts';
import { QUERY_TILESET, WORLDS_ZOOM } from '../../shared/query/bucket-layers.ts';
import { ROUTE_TILESET } from '../../shared/route/sheets.ts';
import type { ArchiveContent, ArchiveSummary } from '../archive/pmtiles-writer.ts';

export const TILESETS = [
  'enc-v2',
  'data-geojson-v1',
  'data-shoreline-v1',
  QUERY_TILESET,
  ROUTE_TILESET,
  NAMES_TILESET,
] as const;
export type Tileset = (typeof TILESETS)[number];

/** Zoom of the tile that is one world of a tileset. */
export const worldZoomOf = (tileset: Tileset): number =>
  tileset === QUERY_TILESET ? WORLDS_ZOOM : 0;

export const NOT_FOR_NAVIGATION = 'Not for navigation.';

const TITLES: Readonly<Record<Tileset, string>> = {
  'enc-v2': 'Nautical chart, vector tiles',
  'data-geojson-v1': 'Nautical chart data, reconciled S-57 features as GeoJSON',
  'data-shoreline-v1': 'Land polygons of the nautical chart as GeoJSON',
  [QUERY_TILESET]: 'Nautical chart features for the feature query, in buckets by tier',
  [ROUTE_TILESET]: 'Depths, clearances and dangers for route planning, in sheets of squares',
  [NAMES_TILESET]:
    'Names of all objects of the nautical chart for search, in pages by initial letters',
};

/** The kind of tiles in an archive. */
export function contentOf(tileset: Tileset): ArchiveContent {
  if (tileset === 'enc-v2') return 'mvt';
  if (tileset === QUERY_TILESET) return 'buckets';
  return tileset === ROUTE_TILESET ? 'sheets' : 'json';
}

/** The names of the formats in the metadata of archives. */
const FORMATS = {
  mvt: 'pbf',
  json: 'json',
  buckets: 'application/octet-stream',
  sheets: 'application/octet-stream',
} as const;

/** The JSON metadata of an archive (PMTiles v3, section 5; TileJSON 3.0.0 for vector_layers). */
export function archiveMetadata(
  tileset: Tileset,
  attribution: string,
  zooms: Pick<ArchiveSummary, 'minZoom' | 'maxZoom'>,
): Readonly<Record<string, unknown>> {
  return {
    name: tileset,
    description: `${TITLES[tileset]}. ${NOT_FOR_NAVIGATION}`,
    attribution,
    type: 'overlay',
    format: FORMATS[contentOf(tileset)],
    ...(tileset === 'enc-v2' && { vector_layers: vectorLayers(zooms.minZoom, zooms.maxZoom) }),
  };
}
