// GeoJSON bodies of the tile endpoints, as schemas for the document and the tests (RFC 7946).

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

/** data-geojson-v1: `layerId` is the S-57 acronym, `attributes` are keyed by theirs. */
export const featureCollectionSchema = z.object({
  type: z.literal('FeatureCollection'),
  /** Features that SCAMIN hides at the tile's zooms, left out as the stored tile was too large. */
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

/** data-shoreline-v1: the collection of the base reading, or the bare geometry. */
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
