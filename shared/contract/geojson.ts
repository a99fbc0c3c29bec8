// Schemas of the GeoJSON bodies of tile endpoints (RFC 7946), for the OpenAPI document and tests.

import * as z from 'zod';

const geometrySchema = z
  .object({
    type: z.enum([
      'Point',
      'MultiPoint',
      'LineString',
      'MultiLineString',
      'Polygon',
      'MultiPolygon',
    ]),
    coordinates: z.array(z.unknown()),
  })
  .describe('GeoJSON: [longitude, latitude], degrees');

const attributeSchema = z.union([
  z.number(),
  z.string(),
  z.array(z.union([z.number(), z.string()])),
]);

/** data-geojson-v1: `layerId` and the keys of `attributes` are S-57 acronyms. */
export const featureCollectionSchema = z.object({
  type: z.literal('FeatureCollection'),
  /**
   * Number of features that are omitted because the stored tile was too large. SCAMIN hides them at
   * this zoom.
   */
  leftOut: z.number().int().positive().optional(),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      id: z.string().optional(),
      geometry: geometrySchema,
      properties: z.object({
        layerId: z.string(),
        attributes: z.record(z.string(), attributeSchema),
      }),
    }),
  ),
});

const landSchema = z
  .object({
    type: z.enum(['Polygon', 'MultiPolygon']),
    coordinates: z.array(z.unknown()),
  })
  .describe('GeoJSON: [longitude, latitude], degrees');

/** data-shoreline-v1: a FeatureCollection (base profile) or a bare geometry (enterprise). */
export const shorelineSchema = z.union([
  z.object({
    type: z.literal('FeatureCollection'),
    features: z
      .array(
        z.object({
          type: z.literal('Feature'),
          properties: z.object({}),
          geometry: landSchema,
        }),
      )
      .max(1),
  }),
  landSchema,
]);
