// Request and response of enc_query.

import * as z from 'zod';
import type { RecordFacts } from '../query/bucket.ts';
import type { DrawnShape } from '../query/drawn-shape.ts';
import { objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import { boxCorners, chartedMeters, count, latitudeFirst, meters } from './units.ts';

const MAX_ZOOM = 16;

/** `null` counts as absent; unknown fields are ignored. */
export const encQuerySchema = z
  .object({
    position: z
      .object(
        {
          longitude: z.number().describe('Degrees; values beyond 180 wrap around'),
          latitude: z.number().min(-90).max(90).describe('Degrees, -90 to 90'),
        },
        { error: 'must be an object with longitude and latitude' },
      )
      .describe('Centre of the search'),
    radius: z
      .number()
      .nonnegative()
      .describe('Metres; the deployment has a maximum, 20 km by default'),
    zoom: z
      .number()
      .nullish()
      .describe(
        'Zoom of the displayed chart, rounded down to an integer from 0 to 16; the deployment has a default, normally 16',
      ),
  })
  .meta({ id: 'EncQuery', description: 'Centre and radius of a search for chart features' });

export type EncQuery = z.infer<typeof encQuerySchema>;

/** The zoom of the displayed tiles: rounded down and clamped. */
export function drawnZoom(zoom: number | null | undefined, otherwise: number): number {
  return Math.min(Math.max(Math.floor(zoom ?? otherwise), 0), MAX_ZOOM);
}

const value = z.union([z.number(), z.string()]);

const extrasSchema = z.strictObject({
  distance: meters.describe('Geodesic distance in metres; 0 inside an area'),
  title: z.string().describe('Object class and name, such as `Buoy, lateral: Wick 3`'),
  sentence: z
    .string()
    .describe(
      'The object in plain words, such as `Dangerous wreck, 7.3 m, position approximate.` Lights of one rhythm at one position have the same sentence, with all their sectors',
    ),
  light: z.string().optional().describe('The description of a light as on a chart'),
  depth: chartedMeters.optional().describe('Depth of a sounding in metres'),
  attributes: z
    .array(
      z.strictObject({
        id: z.string().describe('S-57 acronym of the attribute in lower case, such as `colour`'),
        name: z.string().describe('Name of the attribute'),
        value: z.string().describe('The value as text, with its unit'),
      }),
    )
    .describe('The attributes in words'),
  simplifiedBy: meters
    .optional()
    .describe(
      'Tolerance in metres of a simplified geometry; present only if the response would be too large',
    ),
});

const resultSchema = z
  .strictObject({
    id: z.string().describe('Identifies the feature in this edition of the chart'),
    parentId: z.string().describe('Name and edition of the chart, such as `US5MA1SK.12`'),
    parentCellName: z.string().describe('Name of the chart (cell)'),
    layerId: z.string().describe('S-57 acronym of the object class, such as `BOYLAT`'),
    layerName: z.string().describe('Name of the object class'),
    position: latitudeFirst
      .nullable()
      .describe('[latitude, longitude], degrees, of a point; null for a line or an area'),
    geometry: z
      .object({
        type: z
          .enum(['Point', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'])
          .describe('Type of the geometry'),
        coordinates: z.array(z.unknown()).describe('Positions, nested as the type requires'),
      })
      .describe('GeoJSON: [longitude, latitude], degrees'),
    attributes: z
      .strictObject({
        objectName: z.string().optional().describe('Name of the object, if it has one'),
      })
      .describe('The most important attributes'),
    rawAttributes: z
      .record(z.string(), z.union([value, z.array(value)]))
      .describe('All attributes with the values of the chart producer, by acronym in lower case'),
    bbox: boxCorners,
    extras: extrasSchema.optional().describe('Distance and description; only with `?extras=true`'),
  })
  .meta({ id: 'EncFeature', description: 'A chart feature within the radius' });

export const encQueryAnswerSchema = z
  .strictObject({
    results: z.array(resultSchema).describe('Features, the nearest first'),
    truncation: z
      .strictObject({
        found: count.describe('Number of features within the radius'),
        returned: count.describe('Number of features in `results`, the nearest ones'),
        radius: meters.describe('The searched radius in metres'),
        simplified: count.describe('Number of results with a simplified geometry'),
      })
      .optional()
      .describe('Describes what is missing; present only if the result is incomplete'),
  })
  .meta({ id: 'EncQueryResult', description: 'Features within the radius, the nearest first' });

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
