// GET /api/v1/water-level

import * as z from 'zod';
import {
  presentWaterLevel,
  readWaterLevelQuery,
  waterLevelSchema,
} from '../../../shared/contract/water-level.ts';
import { tidePredictions } from '../charts/tides.ts';
import { type Endpoint, jsonAnswer, queryParameter } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { invalidInput } from './report-requests.ts';

export const waterLevel: Endpoint = {
  method: 'get',
  path: '/api/v1/water-level',
  id: 'getWaterLevel',
  isStrict: true,
  summary:
    'Predicts the height of the tide at a position and time, and the next high and low water.',
  description:
    'The height is interpolated from the nearest tide stations, at most 50 km away. It is the astronomical tide without weather, above the chart datum of the nearest station. Not for navigation.',
  tag: 'Features',
  access: { kind: 'token', scope: 'query' },
  parameters: [
    queryParameter('position', 'Longitude, latitude in degrees', z.string(), {
      required: true,
      example: '-76.3383,36.8917',
    }),
    queryParameter(
      'time',
      'ISO 8601 (UTC without a zone) or epoch milliseconds, 1970 to 2099; by default now',
      z.string(),
      { example: '2026-06-01T12:00:00Z' },
    ),
  ],
  answers: {
    200: jsonAnswer('The predicted height', waterLevelSchema),
    400: {
      description: 'A parameter is missing or invalid; `errors` lists it',
      error: 'bad_query',
    },
    404: {
      description:
        'No tide station is near enough; `expectedRange` is the tidal range to expect, in metres',
      error: 'no_tide_station',
    },
  },
  handle: async (c) => {
    const query = readWaterLevelQuery((name) => c.req.query(name), Date.now());
    if ('faults' in query) throw invalidInput(query.faults, 'bad_query');
    const tides = await tidePredictions();
    const level = tides.predict(query.position, query.time);
    if (!level.reduced) {
      throw new ApiError(
        'no_tide_station',
        'No tide station is within 50 km. expectedRange is the tidal range to expect, in metres.',
        { members: { expectedRange: Math.round(level.error95 * 10) / 10 } },
      );
    }
    return c.json(
      presentWaterLevel(level, query.time, tides.turnsAfter(query.position, query.time)),
      200,
      {
        'cache-control': 'private, max-age=60',
      },
    );
  },
};
