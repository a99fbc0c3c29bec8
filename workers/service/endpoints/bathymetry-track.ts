// GET and DELETE /api/v1/user-reports/bathymetry/{id}, and one or more tracks as a file:
// {id}.geojson, {id}.csv, {id}.gpx (ids separated by commas)

import { canonicalPoints } from '../../../shared/bathymetry/canonical-points.ts';
import type { TrackWithSoundings } from '../../../shared/bathymetry/track.ts';
import {
  MAX_TRACKS_IN_FILE,
  presentTrack,
  readTrackId,
  readTrackIds,
  trackSchema,
} from '../../../shared/contract/tracks.ts';
import { deleteTrack, findTrack, findTracks } from '../db/track-store.ts';
import {
  type AppContext,
  type Endpoint,
  idParameter,
  jsonAnswer,
  type Parameter,
  pathParameter,
} from '../http/endpoint.ts';
import { withOutcomeLookup } from '../http/idempotency-key.ts';
import { queryOf, queryParameters } from '../http/query.ts';
import { ApiError, invalidInput, tooManySoundings } from '../runtime/errors.ts';
import { BATHYMETRY_PATH, BATHYMETRY_TAG } from './bathymetry.ts';
import { CORRECTED, corrected, NOT_CORRECTED } from './corrected-tracks.ts';
import { callerOf, USER_TOKEN } from './report-requests.ts';
import { fileAnswer, nameOfKind, sendTrackFile, TRACK_FILES } from './track-files.ts';

export const TRACK_ID: Parameter = idParameter(
  'Id of the track, a UUID',
  '00000000-0000-4000-8000-000000000000',
);

const TRACK_IDS: Parameter = idParameter(
  `1 to ${MAX_TRACKS_IN_FILE} different ids of tracks, separated by commas, such as the ids in the response to an upload`,
  '00000000-0000-4000-8000-000000000000',
);

/** Maximum number of soundings in a file with several tracks. */
const MAX_SOUNDINGS_IN_FILE = 100_000;

const common = {
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: [TRACK_ID, USER_TOKEN],
} as const;

const refusals = {
  400: { description: 'The id is not a UUID', error: 'bad_track_id' },
  404: { description: 'You have no track with this id', error: 'track_not_found' },
} as const;

/** Files are first, because `{id}` also matches an id with a suffix. */
export const bathymetryTrack: readonly Endpoint[] = [
  ...TRACK_FILES.map(
    (kind): Endpoint => ({
      ...common,
      parameters: [
        TRACK_IDS,
        USER_TOKEN,
        ...(kind.suffix === '.geojson' ? queryParameters(CORRECTED) : []),
      ],
      method: 'get',
      path: `${BATHYMETRY_PATH}/{id}${kind.suffix}`,
      id: `exportTrackAs${nameOfKind(kind)}`,
      summary: `Returns one or more of your tracks as ${kind.name}.`,
      description: kind.use,
      answers: {
        200: fileAnswer(kind),
        400: {
          description:
            'An id is not a UUID, there are too many ids, or the tracks belong to different vessels, loggers, providers or depth references',
          error: 'bad_track_id',
        },
        404: {
          description: 'At least one id does not belong to one of your tracks',
          error: 'track_not_found',
        },
        ...(kind.suffix === '.geojson' && NOT_CORRECTED),
        413: {
          description: 'The tracks together exceed the maximum number of soundings',
          error: 'too_many_soundings',
        },
      },
      handle: async (c) => {
        const tracks = await ownTracks(c, kind.suffix);
        const { account } = callerOf(c);
        const isCorrected =
          kind.suffix === '.geojson' && queryOf(c, CORRECTED, 'bad_track_id').corrected;
        const wanted = isCorrected ? await corrected(c.env, account, tracks) : tracks;
        return sendTrackFile(c, kind, account, wanted);
      },
    }),
  ),
  {
    ...common,
    method: 'get',
    path: `${BATHYMETRY_PATH}/{id}`,
    id: 'getTrack',
    summary: 'Returns one of your tracks with its points, sorted by time.',
    description:
      'This endpoint returns a track only to tokens of the user who sent it. In the portal, users can read all tracks of their account. `externalUserId` identifies the end user if the token sends tracks for several users.',
    answers: {
      200: jsonAnswer('The track', trackSchema),
      ...refusals,
    },
    handle: async (c) => {
      const { track, soundings } = await ownTrack(c);
      const head = JSON.stringify(presentTrack(track)).slice(0, -1);
      return c.body(`${head},"points":${canonicalPoints(soundings)}}`, 200, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
    },
  },
  {
    ...common,
    method: 'delete',
    path: `${BATHYMETRY_PATH}/{id}`,
    id: 'deleteTrack',
    summary: 'Deletes one of your tracks with its points.',
    description: 'The soundings cannot be restored.',
    answers: { 204: { description: 'Deleted' }, ...refusals },
    handle: async (c) => {
      const id = trackIdOf(c);
      const isGone = await withOutcomeLookup({ id }, deleteTrack(c.env, callerOf(c), id));
      if (!isGone) throw new ApiError('track_not_found');
      return c.body(null, 204, { 'cache-control': 'no-store' });
    },
  },
];

/** @throws ApiError 400; 404 also for tracks of other callers; 413 */
async function ownTracks(c: AppContext, suffix: string): Promise<readonly TrackWithSoundings[]> {
  const { account, subject } = callerOf(c);
  const ids = readTrackIds(pathParameter(c, 'id', suffix));
  if (ids === undefined) {
    const message = `must be 1 to ${MAX_TRACKS_IN_FILE} different UUIDs, separated by commas`;
    throw invalidInput('bad_track_id', [{ path: 'id', message }]);
  }
  const found = await findTracks(c.env, { account, subject }, ids, MAX_SOUNDINGS_IN_FILE);
  if (found === undefined) throw new ApiError('track_not_found');
  if (found === 'too_many_points') throw tooManySoundings(MAX_SOUNDINGS_IN_FILE, 'The file');
  return found;
}

/** @throws ApiError 400; 404 also for tracks of other callers */
async function ownTrack(c: AppContext) {
  const { account, subject } = callerOf(c);
  const found = await findTrack(c.env, { account, subject }, trackIdOf(c));
  if (found === undefined) throw new ApiError('track_not_found');
  return found;
}

/** The id in the path, before a suffix. @throws ApiError 400 */
export function trackIdOf(c: AppContext, suffix = ''): string {
  const id = readTrackId(pathParameter(c, 'id', suffix));
  if (id === undefined)
    throw invalidInput('bad_track_id', [{ path: 'id', message: 'must be a UUID' }]);
  return id;
}
