// Areas that a route must avoid, as GeoJSON polygons (RFC 7946) with a limited number of positions.

import * as z from 'zod';
import type { Position } from '../route/trip.ts';

/** Limit for all rings together, because every leg is checked against every edge. */
export const MAX_AVOID_CORNERS = 1000;
/** Above 180° for areas across the antimeridian. */
const MAX_LONGITUDE = 360;

const corner = z
  .tuple([z.number().min(-MAX_LONGITUDE).max(MAX_LONGITUDE), z.number().min(-90).max(90)], {
    error: 'must be [longitude, latitude] in degrees',
  })
  .rest(z.number());

type Corner = z.infer<typeof corner>;

const isClosed = (ring: readonly Corner[]): boolean =>
  ring[0]?.[0] === ring.at(-1)?.[0] && ring[0]?.[1] === ring.at(-1)?.[1];

/** Degrees of longitude. A longer edge has an ambiguous direction, except if it has 360 degrees. */
const MAX_EDGE_DEGREES = 180;
const ALL_ROUND = 360;

const isPlain = (ring: readonly Corner[]): boolean =>
  ring.every(([longitude], i) => {
    const [before] = ring[i - 1] ?? [longitude];
    const degrees = Math.abs(longitude - before);
    return degrees <= MAX_EDGE_DEGREES || degrees === ALL_ROUND;
  });

const ring = z
  .array(corner)
  .min(4, 'must have at least four positions')
  .refine(isClosed, 'must be closed: the last position must equal the first')
  .refine(
    isPlain,
    'must not have an edge of more than 180 degrees of longitude, except one of 360 degrees: use longitudes above 180, or add a position in between',
  );

const polygon = z.array(ring).min(1, 'must have an outer ring');

const areas = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Polygon').describe('Type of the geometry'),
    coordinates: polygon.describe('Closed rings of [longitude, latitude], degrees'),
  }),
  z.object({
    type: z.literal('MultiPolygon').describe('Type of the geometry'),
    coordinates: z
      .array(polygon)
      .describe('Polygons of closed rings of [longitude, latitude], degrees'),
  }),
]);

type AvoidAreas = z.infer<typeof areas>;

const polygonsOf = ({ type, coordinates }: AvoidAreas): readonly Corner[][][] =>
  type === 'Polygon' ? [coordinates] : coordinates;

const cornersOf = (given: AvoidAreas): number =>
  polygonsOf(given)
    .flat()
    .reduce((sum, { length }) => sum + length, 0);

export const avoidAreasSchema = areas.refine(
  (given) => cornersOf(given) <= MAX_AVOID_CORNERS,
  `must have at most ${MAX_AVOID_CORNERS} positions`,
);

/** The rings of each polygon, without heights. */
export function avoidRings(given: AvoidAreas | null | undefined): readonly Position[][][] {
  if (given === null || given === undefined) return [];
  return polygonsOf(given).map((rings) =>
    rings.map((corners) => corners.map(([longitude, latitude]) => [longitude, latitude] as const)),
  );
}
