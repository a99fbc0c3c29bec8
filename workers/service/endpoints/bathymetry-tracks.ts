// GET /api/v1/user-reports/bathymetry: the caller's tracks

import {
  presentTrack,
  TRACK_PARAMETERS,
  trackListSchema,
} from '../../../shared/contract/tracks.ts';
import { listTracks } from '../db/track-store.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { queryOf, queryParameters } from '../http/query.ts';
import { BATHYMETRY_PATH, BATHYMETRY_TAG } from './bathymetry.ts';
import { callerOf, namedUserOf, USER_TOKEN } from './report-requests.ts';

export const bathymetryTracks: Endpoint = {
  method: 'get',
  path: BATHYMETRY_PATH,
  id: 'listTracks',
  summary: 'Lists your tracks, newest first.',
  description: 'The list is paginated: pass `nextCursor` as `cursor` to get the next page.',
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: [USER_TOKEN, ...queryParameters(TRACK_PARAMETERS)],
  answers: {
    200: jsonAnswer('One page of tracks; `nextCursor` is null on the last page', trackListSchema),
    400: { description: 'A parameter is invalid; `errors` lists it', error: 'bad_query' },
  },
  handle: async (c) => {
    const { account, subject } = callerOf(c);
    const asked = queryOf(c, TRACK_PARAMETERS);
    // As in an upload, a user token names the end user.
    const externalUserId = asked.externalUserId && namedUserOf(c, asked.externalUserId);
    const query = { ...asked, externalUserId };
    const found = await listTracks(c.env, { account, subject }, query);
    const tracks = found.slice(0, query.limit).map(presentTrack);
    const nextCursor = found.length > query.limit ? tracks.at(-1)!.id : null;
    return c.json({ tracks, nextCursor }, 200, { 'cache-control': 'no-store' });
  },
};
