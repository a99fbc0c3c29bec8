// Schemas of numbers with the unit, range and order that the OpenAPI document states, and of plain texts.
// `test/workers/documented-claims.service.test.ts` compares each statement with real responses.

import * as z from 'zod';
import { hasUnstorable } from './plain-json.ts';

const within = (least: number, most: number) => z.number().min(least).max(most);

/** Lengths and distances, for example along a route. */
export const meters = within(0, 1e9).describe('Metres');
/** Charted depths, drying heights and vertical clearances. */
export const chartedMeters = within(-100_000, 100_000).describe('Metres');
/** Depths of soundings: the widest limits that a deployment can set. */
export const soundingMeters = within(-1000, 100_000).describe('Metres, positive downwards');
export const count = z.number().int().min(0);
export const epochMs = z.number().int().min(0).max(8.64e15).describe('Epoch milliseconds');
export const latitude = within(-90, 90).describe('Latitude, degrees');
export const longitude = within(-180, 180).describe('Longitude, degrees');
export const zoomLevel = z.number().int().min(0).max(22);
/** 0 if the producer of the chart does not state it. */
export const scaleDenominator = within(0, 1e9);

export const latitudeFirst = z
  .tuple([latitude, longitude])
  .describe('[latitude, longitude], degrees');
export const longitudeFirst = z
  .tuple([longitude, latitude])
  .describe('[longitude, latitude], degrees');
/** On a route with continuous longitudes, which count on beyond 180. */
export const continuousLatitudeFirst = z
  .tuple([latitude, within(-36_000, 36_000)])
  .describe('[latitude, longitude], degrees');

const pair = z.tuple([longitude, latitude]);
export const boxCorners = z
  .tuple([pair, pair])
  .describe('South-west and north-east corner, each [longitude, latitude], degrees');
export const boxEdges = z
  .tuple([longitude, latitude, longitude, latitude])
  .describe('West, south, east, north, degrees');

/**
 * Arguments of `refine` for texts. A pattern in OpenAPI would need the `u` flag, which few programs set.
 */
export const NO_CONTROLS = [
  isPlain,
  'must not contain control characters or unpaired surrogates',
] as const;

/** An account's id of an end user. It may contain control characters. */
export const endUserId = z
  .string()
  .max(256)
  .refine((text) => !hasUnstorable(text), 'must not contain NUL or unpaired surrogates');

/** Whether a text has no control characters and no unpaired surrogates. */
export function isPlain(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
