// Schemas of numbers with the unit and order that the OpenAPI document states.
// `test/workers/documented-claims.service.test.ts` compares each statement with real responses.

import * as z from 'zod';

export const meters = z.number().describe('Metres');
export const degrees = z.number().describe('Degrees');
export const epochMs = z.number().int().describe('Epoch milliseconds');
export const latitude = z.number().describe('Latitude, degrees');
export const longitude = z.number().describe('Longitude, degrees');

const pair = z.tuple([z.number(), z.number()]);

export const latitudeFirst = pair.describe('[latitude, longitude], degrees');
export const longitudeFirst = pair.describe('[longitude, latitude], degrees');
export const boxCorners = z
  .tuple([pair, pair])
  .describe('South-west and north-east corner, each [longitude, latitude], degrees');
export const boxEdges = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe('West, south, east, north, degrees');
