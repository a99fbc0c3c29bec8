// enc_query on the wire: what is asked, and what is answered.

import * as z from 'zod';
import type { RecordFacts } from '../query/bucket.ts';
import type { DrawnShape } from '../query/drawn-shape.ts';
import { objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import { boxCorners, latitudeFirst, meters } from './units.ts';

const MAX_ZOOM = 16;

/** `null` counts as absent; fields that are not known are ignored. */
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

/** The zoom whose tiles are drawn: fractions floor, and the ends clamp. */
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
  /** Of a point; null for a line or an area. */
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
      /** Geodesic, metres; 0 within an area. */
      distance: meters,
      title: z.string(),
      /** A light as charts print it. */
      light: z.string().optional(),
      /** Of a sounding, metres. */
      depth: meters.optional(),
      attributes: z.array(z.strictObject({ id: z.string(), name: z.string(), value: z.string() })),
      /** The geometry was simplified by this many metres, as the whole answer was too large. */
      simplifiedBy: meters.optional(),
    })
    .optional(),
});

export const encQueryAnswerSchema = z.strictObject({
  results: z.array(resultSchema.strict()),
  /** Only where the answer is less than was asked for. */
  truncation: z
    .strictObject({
      /** Features within the radius. */
      found: z.number().int(),
      /** Those of them in `results`: the nearest. */
      returned: z.number().int(),
      /** The radius that was searched, metres. */
      radius: meters,
      /** Results whose geometry was simplified. */
      simplified: z.number().int(),
    })
    .optional(),
});

export type Truncation = NonNullable<z.infer<typeof encQueryAnswerSchema>['truncation']>;

/** The acronym of a class, `$12345` where the catalogue has none. */
const layerIdOf = (classCode: number): string =>
  objectClassByCode(classCode)?.acronym ?? `$${classCode}`;

export type RawAttributes = Readonly<
  Record<string, number | string | readonly (number | string)[]>
>;

/** One result as JSON text. @param extras JSON text, where they were asked for */
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

/** The name is text or absent: who reads it by its type cannot be handed null. */
const summaryOf = (given: RawAttributes[string] | undefined): { objectName?: string } =>
  given === undefined || given === '' ? {} : { objectName: String(given) };

/** The whole answer as JSON text. */
export function presentAnswer(
  results: readonly string[],
  truncation: Truncation | undefined,
): string {
  const marker = truncation === undefined ? '' : `,"truncation":${JSON.stringify(truncation)}`;
  return `{"results":[${results.join(',')}]${marker}}`;
}
