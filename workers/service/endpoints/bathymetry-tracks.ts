// GET /api/v1/user-reports/bathymetry: the caller's tracks

import * as z from 'zod';
import {
  MAX_TRACKS,
  presentTrack,
  readTrackQuery,
  TRACK_PARAMETERS,
  trackListSchema,
} from '../../../shared/contract/tracks.ts';
import { listTracks } from '../db/track-store.ts';
import { type Endpoint, jsonAnswer, queryParameter } from '../http/endpoint.ts';
import { BATHYMETRY_PATH, BATHYMETRY_TAG } from './bathymetry.ts';
import { callerOf, invalidInput } from './report-requests.ts';

export const bathymetryTracks: Endpoint = {
  method: 'get',
  path: BATHYMETRY_PATH,
  id: 'listTracks',
  isStrict: true,
  summary: 'Lists your tracks, newest first.',
  description: 'The list is paginated: pass `nextCursor` as `cursor` to get the next page.',
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: Object.entries(TRACK_PARAMETERS).map(([name, description]) =>
    queryParameter(
      name,
      description,
      name === 'limit' ? z.number().int().min(1).max(MAX_TRACKS) : z.string(),
    ),
  ),
  answers: {
    200: jsonAnswer('One page of tracks; `nextCursor` is null on the last page', trackListSchema),
    400: { description: 'A parameter is invalid; `errors` lists it', error: 'bad_query' },
  },
  handle: async (c) => {
    const { account, subject } = callerOf(c);
    const query = readTrackQuery((name) => c.req.query(name));
    if ('faults' in query) throw invalidInput(query.faults, 'bad_query');
    const found = await listTracks(c.env, { account, subject }, query);
    const tracks = found.slice(0, query.limit).map(presentTrack);
    const nextCursor = found.length > query.limit ? tracks.at(-1)!.id : null;
    return c.json({ tracks, nextCursor }, 200, { 'cache-control': 'no-store' });
  },
};
