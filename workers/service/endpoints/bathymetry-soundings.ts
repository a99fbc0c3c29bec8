// GET /api/v1/user-reports/bathymetry/soundings: the caller's soundings for maps

import * as z from 'zod';
import { gridSoundings } from '../../../shared/bathymetry/grid-soundings.ts';
import {
  presentCells,
  readSoundingsQuery,
  SOUNDINGS_PARAMETERS,
  soundingCollectionSchema,
} from '../../../shared/contract/tracks.ts';
import { soundingsNear } from '../db/track-store.ts';
import { type Endpoint, queryParameter } from '../http/endpoint.ts';
import { BATHYMETRY_PATH, BATHYMETRY_TAG } from './bathymetry.ts';
import { callerOf, invalidInput } from './report-requests.ts';

/** About 3 MB in the format of the database. */
const MAX_POINTS = 75_000;

export const bathymetrySoundings: Endpoint = {
  method: 'get',
  path: `${BATHYMETRY_PATH}/soundings`,
  id: 'getSoundingsNear',
  isStrict: true,
  summary: 'Returns your soundings in a bounding box, aggregated in a grid of 16 pixels.',
  description:
    'GeoJSON points for a map, with the number and depths of the soundings of each grid cell. Depths are not corrected for the tide.',
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: Object.entries(SOUNDINGS_PARAMETERS).map(([name, description]) =>
    queryParameter(name, description, name === 'zoom' ? z.number().min(0).max(22) : z.string(), {
      required: true,
      example: name === 'zoom' ? 12 : '-20.1,-30.1,-19.9,-29.9',
    }),
  ),
  answers: {
    200: {
      description: `One point per grid cell; \`truncation\` is present if the tracks there have more than ${MAX_POINTS} points`,
      contentType: 'application/geo+json',
      schema: soundingCollectionSchema,
    },
    400: {
      description: 'A parameter is missing or invalid; `errors` lists it',
      error: 'bad_query',
    },
  },
  handle: async (c) => {
    const { account, subject } = callerOf(c);
    const query = readSoundingsQuery((name) => c.req.query(name));
    if ('faults' in query) throw invalidInput(query.faults, 'bad_query');
    const near = await soundingsNear(c.env, { account, subject }, query.box, MAX_POINTS);
    const { found, returned } = near;
    const cells = gridSoundings(near.soundings, query.box, query.zoom);
    const truncation = returned < found ? { found, returned } : undefined;
    return c.body(JSON.stringify(presentCells(cells, truncation)), 200, {
      'content-type': 'application/geo+json; charset=utf-8',
      'cache-control': 'no-store',
    });
  },
};
