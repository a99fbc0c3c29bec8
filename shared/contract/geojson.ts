// Schemas of the GeoJSON bodies of tile endpoints (RFC 7946), for the OpenAPI document and tests.

import * as z from 'zod';
import { longitudeFirst } from './units.ts';

export const GEOJSON_TYPE = 'Type of the GeoJSON object';

export const pointSchema = z
  .strictObject({
    type: z.literal('Point').describe('Type of the geometry'),
    coordinates: longitudeFirst,
  })
  .describe('GeoJSON: [longitude, latitude], degrees');

/** A feature with a point. */
export const pointFeature = <Properties extends z.ZodType>(properties: Properties) =>
  z.strictObject({
    type: z.literal('Feature').describe(GEOJSON_TYPE),
    geometry: pointSchema,
    properties,
  });

const geometrySchema = z
  .object({
    type: z
      .enum(['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'])
      .describe('Type of the geometry'),
    coordinates: z.array(z.unknown()).describe('Positions, nested as the type requires'),
  })
  .describe('GeoJSON: [longitude, latitude], degrees');

const attributeSchema = z.union([
  z.number(),
  z.string(),
  z.array(z.union([z.number(), z.string()])),
]);

/** data-geojson-v1: `layerId` and the keys of `attributes` are S-57 acronyms. */
export const featureCollectionSchema = z
  .object({
    type: z.literal('FeatureCollection').describe(GEOJSON_TYPE),
    leftOut: z
      .number()
      .int()
      .positive()
      .optional()
      .describe(
        'Number of features and single soundings omitted because the tile was too large: first those that SCAMIN hides at this zoom, then those too small to distinguish at it; of dangers and soundings the shoalest of each place remains. Absent if none was omitted',
      ),
    features: z
      .array(
        z.object({
          type: z.literal('Feature').describe(GEOJSON_TYPE),
          id: z
            .string()
            .optional()
            .describe(
              'The same `id` as in enc_query, except for `SOUNDG`: a tile has one MultiPoint of soundings, and enc_query an id for each sounding',
            ),
          geometry: geometrySchema,
          properties: z
            .object({
              layerId: z.string().describe('S-57 acronym of the object class, such as `DEPARE`'),
              attributes: z
                .record(z.string(), attributeSchema)
                .describe('Values by the S-57 acronym of the attribute, such as `DRVAL1`'),
            })
            .describe('Object class and attributes'),
        }),
      )
      .describe('Chart features in the tile'),
  })
  .meta({ id: 'FeatureTile', description: 'Chart features of a tile as GeoJSON (RFC 7946)' });

const landSchema = z
  .object({
    type: z.enum(['Polygon', 'MultiPolygon']).describe('Type of the geometry'),
    coordinates: z.array(z.unknown()).describe('Rings of the polygons'),
  })
  .describe('GeoJSON: [longitude, latitude], degrees');

/** data-shoreline-v1: a FeatureCollection (base profile) or a bare geometry (enterprise). */
export const shorelineSchema = z
  .union([
    z.object({
      type: z.literal('FeatureCollection').describe(GEOJSON_TYPE),
      features: z
        .array(
          z.object({
            type: z.literal('Feature').describe(GEOJSON_TYPE),
            properties: z.object({}).describe('Always empty'),
            geometry: landSchema,
          }),
        )
        .max(1)
        .describe('The land in the tile; empty without land'),
    }),
    landSchema,
  ])
  .meta({ id: 'ShorelineTile', description: 'The land of a tile as GeoJSON (RFC 7946)' });
