// GET /api/v1/water-level

import {
  presentWaterLevel,
  WATER_LEVEL_PARAMETERS,
  waterLevelSchema,
} from '../../../shared/contract/water-level.ts';
import { tidePredictions } from '../charts/tides.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { BAD_QUERY, queryOf, queryParameters } from '../http/query.ts';
import { ApiError } from '../runtime/errors.ts';

export const waterLevel: Endpoint = {
  method: 'get',
  path: '/api/v1/water-level',
  id: 'getWaterLevel',
  summary:
    'Predicts the height of the tide at a position and time, and the next high and low water.',
  description:
    'The height is interpolated from the nearest tide stations, at most 50 km away. It is the astronomical tide without weather, above the chart datum of the nearest station. Not for navigation.',
  tag: 'Features',
  access: { kind: 'token', scope: 'query' },
  parameters: queryParameters(WATER_LEVEL_PARAMETERS),
  answers: {
    200: jsonAnswer('The predicted height', waterLevelSchema),
    400: BAD_QUERY,
    404: {
      description:
        'No tide station is near enough; `expectedRange` is the tidal range to expect, in metres',
      error: 'no_tide_station',
    },
  },
  handle: async (c) => {
    const { position, time = Date.now() } = queryOf(c, WATER_LEVEL_PARAMETERS);
    const place = [position.longitude, position.latitude] as const;
    const tides = await tidePredictions();
    const level = tides.predict(place, time);
    if (!level.reduced) {
      throw new ApiError(
        'no_tide_station',
        'No tide station is within 50 km. expectedRange is the tidal range to expect, in metres.',
        { members: { expectedRange: Math.round(level.error95 * 10) / 10 } },
      );
    }
    return c.json(presentWaterLevel(level, time, tides.turnsAfter(place, time)), 200, {
      'cache-control': 'private, max-age=60',
    });
  },
};
