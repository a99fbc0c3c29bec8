// GET /api/v1/user-reports/bathymetry/soundings: the caller's soundings for maps

import { gridSoundings } from '../../../shared/bathymetry/grid-soundings.ts';
import {
  presentCells,
  SOUNDINGS_PARAMETERS,
  soundingCollectionSchema,
} from '../../../shared/contract/tracks.ts';
import { soundingsNear } from '../db/track-store.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { BAD_QUERY, queryOf, queryParameters } from '../http/query.ts';
import { BATHYMETRY_PATH, BATHYMETRY_TAG } from './bathymetry.ts';
import { callerOf, USER_TOKEN } from './report-requests.ts';

/** About 3 MB in the format of the database. */
const MAX_POINTS = 75_000;

export const bathymetrySoundings: Endpoint = {
  method: 'get',
  path: `${BATHYMETRY_PATH}/soundings`,
  id: 'getSoundingsNear',
  summary: 'Returns your soundings in a bounding box, aggregated in a grid of 16 pixels.',
  description:
    'GeoJSON points for a map, with the number and depths of the soundings of each grid cell. Depths are not corrected for the tide.',
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: [USER_TOKEN, ...queryParameters(SOUNDINGS_PARAMETERS)],
  answers: {
    200: {
      description: `One point per grid cell; \`truncation\` is present if the tracks there have more than ${MAX_POINTS} points`,
      contentType: 'application/geo+json',
      schema: soundingCollectionSchema,
    },
    400: BAD_QUERY,
  },
  handle: async (c) => {
    const { account, subject } = callerOf(c);
    const { bbox, zoom } = queryOf(c, SOUNDINGS_PARAMETERS);
    const near = await soundingsNear(c.env, { account, subject }, bbox, MAX_POINTS);
    const { found, returned } = near;
    const cells = gridSoundings(near.soundings, bbox, zoom);
    const truncation = returned < found ? { found, returned } : undefined;
    return c.body(JSON.stringify(presentCells(cells, truncation)), 200, {
      'content-type': 'application/geo+json; charset=utf-8',
      'cache-control': 'no-store',
    });
  },
};
