// GET /api/portal/v1/tracks; GET /api/portal/v1/tracks/{id}.geojson, .csv and .gpx; DELETE …/{id}

import * as z from 'zod';
import {
  MAX_TRACKS_PER_PAGE,
  type PortalTrack,
  portalTrackListSchema,
} from '../../../shared/contract/portal-tracks.ts';
import { wholeNumber } from '../../../shared/contract/query.ts';
import { readTrackId } from '../../../shared/contract/tracks.ts';
import { deleteAccountTrack, listAccountTracks } from '../db/account-tracks.ts';
import { findAccountTrack } from '../db/track-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { TRACK_ID, trackIdOf } from './bathymetry-track.ts';
import { CORRECTED, corrected, NOT_CORRECTED } from './corrected-tracks.ts';
import { checked } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { fileAnswer, nameOfKind, sendTrackFile, TRACK_FILES } from './track-files.ts';

const TRACKS_PATH = `${PORTAL_PATH}/tracks`;

const TRACK: PortalTrack = {
  id: '0199f3a2-6c1e-7d5c-9f7e-2c4f1d3b6a90',
  subject: 'member:b0LZy4vKXtLQhWmG3nqYb4l1pVn7xkRd',
  platform: 'My boat',
  externalUserId: null,
  pointCount: 2,
  startTime: 1_780_315_200_000,
  endTime: 1_780_315_210_000,
  share: 'aggregate',
  leastDepth: 7.4,
  greatestDepth: 7.6,
  lengthMeters: 14.7,
};

const FILE = {
  type: 'FeatureCollection',
  crs: { type: 'name', properties: { name: 'EPSG:4326' } },
  properties: { leadline: { trackId: TRACK.id } },
  features: [
    {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-19.98, -30.02] },
      properties: { depth: 7.4, time: '2026-06-01T12:00:00.000Z' },
    },
  ],
};

const PAGE = {
  limit: {
    ...wholeNumber(1, MAX_TRACKS_PER_PAGE),
    description: `Maximum number of tracks, 1 to ${MAX_TRACKS_PER_PAGE}; ${MAX_TRACKS_PER_PAGE} by default`,
    otherwise: MAX_TRACKS_PER_PAGE,
  },
  cursor: checked(
    '`nextCursor` of the previous page',
    z.string().refine((text) => readTrackId(text) !== undefined),
  ),
} as const;

const refusals = {
  400: { description: 'The id is not a UUID', error: 'bad_track_id' },
  404: { description: 'The account has no track with this id', error: 'track_not_found' },
} as const;

const NO_QUERY = {} as const;

/** Files first: the path of a track would also match an id with a suffix. */
export const portalTracks = [
  portalEndpoint({
    access: 'member',
    method: 'get',
    path: TRACKS_PATH,
    id: 'portalListTracks',
    summary: 'Lists the tracks of the account, newest first.',
    description:
      'Lists the tracks that were sent with any token of the account. For the next page, set `cursor` to the value of `nextCursor`. A page of long tracks contains fewer than `limit`.',
    query: PAGE,
    answers: {
      200: jsonAnswer(
        'A page of tracks; `nextCursor` is null on the last page',
        portalTrackListSchema,
        { tracks: [TRACK], nextCursor: null },
      ),
    },
    handle: ({ env, sessionId, query: { limit, cursor: before } }) =>
      listAccountTracks(env, sessionId, { limit, before }),
  }),
  ...TRACK_FILES.map((kind) =>
    portalEndpoint({
      access: 'member',
      pathParameter: TRACK_ID,
      method: 'get',
      path: `${TRACKS_PATH}/{id}${kind.suffix}`,
      id: `portalExportTrackAs${nameOfKind(kind)}`,
      summary: `Returns a track of the account as ${kind.name}.`,
      description: 'Returns the same file that the sender can download with its token.',
      query: kind.suffix === '.geojson' ? CORRECTED : NO_QUERY,
      answers: {
        200: { ...fileAnswer(kind), ...(kind.schema && { example: FILE }) },
        ...refusals,
        ...(kind.suffix === '.geojson' && NOT_CORRECTED),
      },
      handle: async ({ c, env, member: { account }, query }) => {
        const found = await findAccountTrack(env, account, trackIdOf(c, kind.suffix));
        if (found === undefined)
          throw new ApiError(
            'track_not_found',
            'The account has no track with this id. List its tracks and check the id.',
          );
        const isCorrected = 'corrected' in query && query.corrected;
        const tracks = isCorrected ? await corrected(env, account, [found]) : [found];
        return sendTrackFile(c, kind, account, tracks);
      },
    }),
  ),
  portalEndpoint({
    access: 'moderator',
    pathParameter: TRACK_ID,
    method: 'delete',
    path: `${TRACKS_PATH}/{id}`,
    id: 'portalDeleteTrack',
    summary: 'Deletes a track of the account with its points.',
    description: 'The soundings cannot be restored. The audit trail keeps the id of the track.',
    answers: { 204: { description: 'Deleted' }, ...refusals },
    handle: ({ c, env, sessionId }) => deleteAccountTrack(env, sessionId, trackIdOf(c)),
  }),
];
