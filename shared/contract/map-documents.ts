// Schemas of TileJSON and style documents.

import * as z from 'zod';
import { boxEdges, latitude, longitude, zoomLevel } from './units.ts';

/** TileJSON 3.0.0 (https://github.com/mapbox/tilejson-spec) with Leadline's `chart_bounds`. */
export const tileJsonSchema = z
  .object({
    tilejson: z.literal('3.0.0').describe('Version of the TileJSON specification'),
    name: z.string().describe('Name of the tileset'),
    description: z.string().describe('Contents of the tileset, as a sentence'),
    version: z
      .string()
      .describe(
        'Semantic version (semver.org) with the build, for example 1.0.0+a217fdad; changes whenever the tiles change',
      ),
    attribution: z.string().describe('Sources of the charts as HTML, to display with the map'),
    scheme: z.literal('xyz').describe('Row 0 is in the north'),
    tiles: z.array(z.string()).describe('Address template of the tiles, with the token if needed'),
    minzoom: zoomLevel.describe('Lowest zoom with tiles'),
    maxzoom: zoomLevel.describe('Highest zoom with tiles; clients enlarge them beyond it'),
    bounds: boxEdges,
    center: z
      .tuple([longitude, latitude, zoomLevel])
      .describe('[longitude, latitude] in degrees, and a zoom')
      .optional(),
    chart_bounds: boxEdges.describe(
      'Extent of the charts without the background map: west, south, east, north, degrees',
    ),
    vector_layers: z
      .array(z.unknown())
      .optional()
      .describe('Layers of a vector tileset with their fields (TileJSON 3.0.0, section 3.3)'),
  })
  .meta({ id: 'TileJson', description: 'TileJSON 3.0.0 with the extent of the charts' });

/** A style of the style specification: https://maplibre.org/maplibre-style-spec */
export const styleSchema = z
  .looseObject({
    version: z.literal(8).describe('Version of the style specification'),
    name: z.string().describe('Name of the style'),
    sources: z.record(z.string(), z.unknown()).describe('Sources of the tiles by name'),
    layers: z
      .array(
        z.looseObject({
          id: z.string().describe('Name of the layer, for `hideLayers` and `showLayers`'),
          type: z.string().describe('Type of the layer, such as `fill`'),
        }),
      )
      .describe('Layers from bottom to top'),
  })
  .meta({ id: 'Style', description: 'A style document of the MapLibre style specification' });
