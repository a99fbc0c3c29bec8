// Schemas of TileJSON and style documents.

import * as z from 'zod';
import { boxEdges } from './units.ts';

/** TileJSON 3.0.0 (https://github.com/mapbox/tilejson-spec) with Leadline's `chart_bounds`. */
export const tileJsonSchema = z.object({
  tilejson: z.literal('3.0.0'),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  attribution: z.string(),
  scheme: z.literal('xyz'),
  tiles: z.array(z.string()),
  minzoom: z.number().int(),
  maxzoom: z.number().int(),
  bounds: boxEdges,
  center: z
    .tuple([z.number(), z.number(), z.number()])
    .describe('[longitude, latitude] in degrees, and a zoom')
    .optional(),
  chart_bounds: boxEdges,
  vector_layers: z.array(z.unknown()).optional(),
});

/** A style of the style specification: https://maplibre.org/maplibre-style-spec */
export const styleSchema = z.looseObject({
  version: z.literal(8),
  name: z.string(),
  sources: z.record(z.string(), z.unknown()),
  layers: z.array(z.looseObject({ id: z.string(), type: z.string() })),
});
