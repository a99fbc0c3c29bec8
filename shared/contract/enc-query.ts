// Request and response of enc_query.

import * as z from 'zod';
import type { RecordFacts } from '../query/bucket.ts';
import type { DrawnShape } from '../query/drawn-shape.ts';
import { objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import { boxCorners, latitudeFirst, meters } from './units.ts';

const MAX_ZOOM = 16;

/** `null` counts as absent; unknown fields are ignored. */
export const encQuerySchema = z.object({
  position: z.object(
    {
      longitude: z.number(),
      latitude: z.number().min(-90).max(90),
    },
    { error: 'must be an object with longitude and latitude' },
  ),
  radius: z.number().nonnegative(),
  zoom: z.number().nullish(),
});

export type EncQuery = z.infer<typeof encQuerySchema>;

/** The zoom of the displayed tiles: rounded down and clamped. */
export function drawnZoom(zoom: number | null | undefined, otherwise: number): number {
  return Math.min(Math.max(Math.floor(zoom ?? otherwise), 0), MAX_ZOOM);
}

const value = z.union([z.number(), z.string()]);

const resultSchema = z.object({
  id: z.string(),
  parentId: z.string(),
  parentCellName: z.string(),
  layerId: z.string(),
  layerName: z.string(),
  /** Position of a point; null for a line or an area. */
  position: latitudeFirst.nullable(),
  geometry: z
    .object({
      type: z.enum(['Point', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon']),
      coordinates: z.array(z.unknown()),
    })
    .describe('GeoJSON: [longitude, latitude], degrees'),
  attributes: z.strictObject({ objectName: z.string().optional() }),
  rawAttributes: z.record(z.string(), z.union([value, z.array(value)])),
  bbox: boxCorners,
  /** Only with `?extras=true`. */
  extras: z
    .strictObject({
      /** Geodesic distance in metres; 0 inside an area. */
      distance: meters,
      title: z.string(),
      /** The description of a light as on a chart. */
      light: z.string().optional(),
      /** Depth of a sounding in metres. */
      depth: meters.optional(),
      attributes: z.array(z.strictObject({ id: z.string(), name: z.string(), value: z.string() })),
      /** Tolerance in metres of the simplified geometry, if the response was too large. */
      simplifiedBy: meters.optional(),
    })
    .optional(),
});

export const encQueryAnswerSchema = z.strictObject({
  results: z.array(resultSchema.strict()),
  /** Present only if the result is incomplete. */
  truncation: z
    .strictObject({
      /** Number of features within the radius. */
      found: z.number().int(),
      /** Number of features in `results`, the nearest ones. */
      returned: z.number().int(),
      /** The searched radius in metres. */
      radius: meters,
      /** Number of results with a simplified geometry. */
      simplified: z.number().int(),
    })
    .optional(),
});

export type Truncation = NonNullable<z.infer<typeof encQueryAnswerSchema>['truncation']>;

/** The acronym of a class, or `$12345` if the catalogue does not contain it. */
const layerIdOf = (classCode: number): string =>
  objectClassByCode(classCode)?.acronym ?? `$${classCode}`;

export type RawAttributes = Readonly<
  Record<string, number | string | readonly (number | string)[]>
>;

/** One result as JSON text. @param extras JSON text, if requested */
export function presentFeature(
  facts: RecordFacts,
  attributes: RawAttributes,
  drawn: DrawnShape,
  extras: string | undefined,
): string {
  const { classCode, cell, agency, number: foidNumber, subdivision } = facts;
  const [cellName = ''] = cell.split('.');
  const { shape } = drawn;
  const isPoint = shape.type === 'point';
  const place = isPoint && shape.depth !== undefined ? `.${shape.x}.${shape.y}` : '';
  const layerId = layerIdOf(classCode);
  const [west, south, east, north] = drawn.bounds;
  const head = JSON.stringify({
    id: `${cellName}.${agency}.${foidNumber}.${subdivision}${place}`,
    parentId: cell,
    parentCellName: cellName,
    layerId,
    layerName: objectClassByCode(classCode)?.name ?? layerId,
    position: isPoint ? [south, west] : null,
  });
  const tail = JSON.stringify({
    attributes: summaryOf(attributes['objnam']),
    bbox: [
      [west, south],
      [east, north],
    ],
  });
  return `${head.slice(0, -1)},"geometry":${drawn.text},"rawAttributes":${facts.attributes},${tail.slice(1, -1)}${extras === undefined ? '' : `,"extras":${extras}`}}`;
}

/** The contract types the name as a string, so it is omitted instead of null. */
const summaryOf = (given: RawAttributes[string] | undefined): { objectName?: string } =>
  given === undefined || given === '' ? {} : { objectName: String(given) };

/** The response as JSON text. */
export function presentAnswer(
  results: readonly string[],
  truncation: Truncation | undefined,
): string {
  const marker = truncation === undefined ? '' : `,"truncation":${JSON.stringify(truncation)}`;
  return `{"results":[${results.join(',')}]${marker}}`;
}
