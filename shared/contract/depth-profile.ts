// Request and response of a depth profile: charted depths along a line.

import * as z from 'zod';
import { rhumbBetween } from '../geo/rhumb.ts';
import type { Crossing } from '../query/contours-crossed.ts';
import { type Ground, SURFACES } from '../query/ground.ts';
import {
  evenDistances,
  lengthOf,
  type Piece,
  piecesOf,
  placesAt,
  type SamplePlace,
  steppedDistances,
} from '../query/profile-line.ts';
import { examine } from './examine.ts';
import { faultsOf } from './faults.ts';
import { GEOJSON_TYPE } from './geojson.ts';
import type { Fault } from './plain-json.ts';
import { chartedMeters, count, latitude, longitude, meters, scaleDenominator } from './units.ts';

export const MAX_PROFILE_VERTICES = 1000;
export const MAX_PROFILE_METERS = 1_000_000;
const MAX_SAMPLES = 1000;
const DEFAULT_SAMPLES = 100;
/** Charts end at 85.05°. */
const MAX_LATITUDE = 85;
/** Above 180° for lines across the antimeridian. */
const MAX_LONGITUDE = 360;

const position = z
  .tuple(
    [
      z.number().min(-MAX_LONGITUDE).max(MAX_LONGITUDE),
      z.number().min(-MAX_LATITUDE).max(MAX_LATITUDE),
    ],
    { error: 'must be [longitude, latitude] in degrees' },
  )
  .rest(z.number());

/** `null` counts as absent; unknown fields are ignored. */
export const depthProfileSchema = z
  .object({
    geometry: z
      .object({
        type: z.literal('LineString').describe(GEOJSON_TYPE),
        coordinates: z
          .array(position)
          .min(2, 'must have at least two positions')
          .max(MAX_PROFILE_VERTICES, `must have at most ${MAX_PROFILE_VERTICES} positions`)
          .describe(
            `2 to ${MAX_PROFILE_VERTICES} positions [longitude, latitude] in degrees; longitudes from -${MAX_LONGITUDE} to ${MAX_LONGITUDE} wrap around, latitudes are from -${MAX_LATITUDE} to ${MAX_LATITUDE}; further numbers are ignored`,
          ),
      })
      .describe(
        `GeoJSON LineString, at most ${MAX_PROFILE_METERS / 1000} km long. Between two positions the line is straight on a Mercator chart, in the shorter direction`,
      ),
    numSamples: z
      .number()
      .int()
      .min(2)
      .max(MAX_SAMPLES)
      .nullish()
      .describe(
        `Number of samples, evenly spaced from the start to the end of the line, 2 to ${MAX_SAMPLES}; default ${DEFAULT_SAMPLES} unless \`sampleInterval\` is present`,
      ),
    sampleInterval: z
      .number()
      .min(1)
      .max(MAX_PROFILE_METERS)
      .nullish()
      .describe(
        `Metres between samples, 1 to ${MAX_PROFILE_METERS}, instead of \`numSamples\`; the last interval may be shorter. At most ${MAX_SAMPLES} samples`,
      ),
  })
  .refine(
    ({ numSamples, sampleInterval }) =>
      typeof numSamples !== 'number' || typeof sampleInterval !== 'number',
    { path: ['sampleInterval'], error: 'must be absent if numSamples is present' },
  )
  .meta({
    id: 'DepthProfileRequest',
    description: 'A line, and the number or interval of samples',
  });

type DepthProfileBody = z.infer<typeof depthProfileSchema>;

export interface ProfileRequest {
  readonly pieces: readonly Piece[];
  readonly places: readonly SamplePlace[];
}

/** Parses a body or returns its faults. */
export function readDepthProfile(
  body: Readonly<Record<string, unknown>>,
): { readonly request: ProfileRequest } | { readonly faults: readonly Fault[] } {
  const parsed = examine(depthProfileSchema, body);
  if (!parsed.success) return { faults: faultsOf(parsed.error) };
  const { geometry, numSamples, sampleInterval } = parsed.data;
  const fault = faultOfLength(geometry, sampleInterval ?? undefined);
  if (fault !== undefined) return { faults: [fault] };
  const pieces = piecesOf(geometry.coordinates.map(([x, y]) => [x, y]));
  const length = lengthOf(pieces);
  const distances =
    typeof sampleInterval === 'number'
      ? steppedDistances(length, sampleInterval)
      : evenDistances(length, numSamples ?? DEFAULT_SAMPLES);
  return { request: { pieces, places: placesAt(pieces, distances) } };
}

/** Checks the length before the line is cut into pieces. */
function faultOfLength(
  { coordinates }: DepthProfileBody['geometry'],
  interval: number | undefined,
): Fault | undefined {
  let length = 0;
  for (let i = 1; i < coordinates.length; i++) {
    const [from, to] = [coordinates[i - 1]!, coordinates[i]!];
    length += rhumbBetween(from[0], from[1], to[0], to[1]).meters;
  }
  if (length > MAX_PROFILE_METERS) {
    const message = `must be at most ${MAX_PROFILE_METERS / 1000} km long; send it in parts`;
    return { path: 'geometry.coordinates', message };
  }
  if (length < 0.01) {
    return { path: 'geometry.coordinates', message: 'must contain two different positions' };
  }
  const least = Math.ceil(length / (MAX_SAMPLES - 1.1));
  return interval !== undefined && interval < least
    ? {
        path: 'sampleInterval',
        message: `must be at least ${least} for this line, which gives at most ${MAX_SAMPLES} samples`,
      }
    : undefined;
}

const sampleSchema = z.strictObject({
  latitude,
  longitude,
  distance: meters.describe('Metres from the start of the line, along the line'),
  surface: z
    .enum(SURFACES)
    .describe(
      'What the most detailed chart shows at the position. `structure`: a floating dock, hulk or pontoon. `uncharted`: no chart covers the position, and nothing is known about its depth',
    ),
  layerId: z
    .string()
    .nullable()
    .describe('S-57 acronym of the area, such as `DEPARE`; null if uncharted'),
  minDepth: chartedMeters
    .nullable()
    .describe(
      'Least depth of the depth area (DRVAL1) in metres below chart datum; negative where it dries; null if unknown and outside water',
    ),
  maxDepth: chartedMeters
    .nullable()
    .describe(
      'Greatest depth of the depth area (DRVAL2) in metres below chart datum; null if unknown and outside water',
    ),
  contours: z
    .array(
      z.strictObject({
        depth: chartedMeters
          .nullable()
          .describe('Depth of the contour (VALDCO) in metres below chart datum; null if unknown'),
        distance: meters.describe('Metres from the start of the line to the contour'),
      }),
    )
    .describe('Depth contours that the line crosses between the previous sample and this one'),
  source: z
    .strictObject({
      cellName: z.string().describe('Name of the chart (cell)'),
      edition: count.describe('Edition of the chart'),
      scale: scaleDenominator
        .nullable()
        .describe('Denominator of the compilation scale, such as 20000; null if unknown'),
    })
    .nullable()
    .describe('The chart that shows the position; null if uncharted'),
});

export const depthProfileAnswerSchema = z
  .strictObject({
    length: meters.describe('Length of the line in metres'),
    samples: z.array(sampleSchema).describe('Samples from the start to the end of the line'),
  })
  .meta({ id: 'DepthProfile', description: 'Charted depths along a line' });

export type DepthProfile = z.infer<typeof depthProfileAnswerSchema>;

const centimeters = (value: number): number => Math.round(value * 100) / 100;

/**
 * @param grounds the ground at each place
 * @param crossings in the order of their distances
 * @param scaleOf compilation scale of a cell
 */
export function presentDepthProfile(
  { pieces, places }: ProfileRequest,
  grounds: readonly Ground[],
  crossings: readonly Crossing[],
  scaleOf: (cellName: string) => number | undefined,
): DepthProfile {
  let next = 0;
  const samples = places.map(({ longitude, latitude, distance }, i) => {
    const first = next;
    const isLast = i === places.length - 1;
    while (i > 0 && next < crossings.length && (isLast || crossings[next]!.distance <= distance))
      next++;
    const { cell, ...ground } = grounds[i]!;
    const contours = crossings
      .slice(first, next)
      .map((one) => ({ depth: one.depth, distance: centimeters(one.distance) }));
    return {
      latitude,
      longitude,
      distance: centimeters(distance),
      ...ground,
      contours,
      source: cell === undefined ? null : sourceOf(cell, scaleOf),
    };
  });
  return { length: centimeters(lengthOf(pieces)), samples };
}

function sourceOf(cell: string, scaleOf: (cellName: string) => number | undefined) {
  const [cellName = '', edition] = cell.split('.');
  return { cellName, edition: Number(edition), scale: scaleOf(cellName) ?? null };
}
