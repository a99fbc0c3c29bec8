// GET and DELETE /api/v1/user-reports/bathymetry/{id}, and one or more tracks as a file:
// {id}.geojson, {id}.csv, {id}.gpx (ids separated by commas)

import { v5 as uuidV5 } from 'uuid';
import * as z from 'zod';
import { canonicalPoints } from '../../../shared/bathymetry/canonical-points.ts';
import { type Track, type TrackWithSoundings, textIn } from '../../../shared/bathymetry/track.ts';
import { isVesselId, trackB12 } from '../../../shared/bathymetry/track-b12.ts';
import { trackCsv } from '../../../shared/bathymetry/track-csv.ts';
import { trackGpx } from '../../../shared/bathymetry/track-gpx.ts';
import {
  MAX_TRACKS_IN_FILE,
  presentTrack,
  readTrackId,
  readTrackIds,
  trackFileSchema,
  trackSchema,
} from '../../../shared/contract/tracks.ts';
import { deleteTrack, findTrack, findTracks } from '../db/track-store.ts';
import { type AppContext, type Endpoint, type Parameter, pathParameter } from '../http/endpoint.ts';
import { withOutcomeLookup } from '../http/idempotency-key.ts';
import { mixedVessels, tooManySoundings, trackNotFound } from '../runtime/errors.ts';
import { BATHYMETRY_PATH, BATHYMETRY_TAG } from './bathymetry.ts';
import { badReport, callerOf } from './report-requests.ts';

const TRACK_ID: Parameter = {
  name: 'id',
  in: 'path',
  description: 'Id of the track, a UUID',
  schema: z.string(),
  required: true,
  example: '00000000-0000-4000-8000-000000000000',
};

const TRACK_IDS: Parameter = {
  name: 'id',
  in: 'path',
  description: `1 to ${MAX_TRACKS_IN_FILE} ids of tracks, separated by commas, such as the ids in the response to an upload`,
  schema: z.string(),
  required: true,
  example: '00000000-0000-4000-8000-000000000000',
};

/** Limit for files with several tracks. */
const MAX_SOUNDINGS_IN_FILE = 100_000;

const common = {
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: [TRACK_ID],
} as const;

const refusals = {
  400: { description: 'The id is not a UUID', error: 'bad_track_id' },
  404: { description: 'You have no track with this id', error: 'track_not_found' },
} as const;

interface FileKind {
  readonly suffix: string;
  readonly name: string;
  /** Description of its purpose. */
  readonly use: string;
  readonly contentType: string;
  /** Of a file in JSON. */
  readonly schema?: z.ZodType;
  /** @throws ApiError 400 if the format cannot hold these tracks in one file */
  readonly write: (c: AppContext, tracks: readonly TrackWithSoundings[]) => string;
}

const FILES: readonly FileKind[] = [
  {
    suffix: '.geojson',
    name: 'GeoJSON for crowdsourced bathymetry ("GeoJSON CSB 3.1", IHO B-12)',
    use: 'For the IHO Data Centre for Digital Bathymetry and for geographic information systems. All tracks of a file must have the same vessel, logger and provider.',
    contentType: 'application/geo+json',
    schema: trackFileSchema,
    write: (c, tracks) => {
      const text = trackB12(tracks, (track) => vesselIdOf(c, track), c.get('settings').csbNode);
      if (text === undefined) throw mixedVessels();
      return text;
    },
  },
  {
    suffix: '.csv',
    name: 'CSV: longitude, latitude, depth in metres, time in UTC',
    use: 'For spreadsheets: a header line, then one line per sounding (RFC 4180), track by track.',
    contentType: 'text/csv',
    write: (_, tracks) => trackCsv(tracks.map(({ soundings }) => soundings)),
  },
  {
    suffix: '.gpx',
    name: 'GPX 1.1, with depths in Garmin’s track point extension',
    use: 'For chart plotters: one `trk` element per track.',
    contentType: 'application/gpx+xml',
    write: (_, tracks) => trackGpx(tracks),
  },
];

/** Files first: the path of a track would also match an id with a suffix. */
export const bathymetryTrack: readonly Endpoint[] = [
  ...FILES.map(
    ({ suffix, name, use, contentType, schema, write }): Endpoint => ({
      ...common,
      parameters: [TRACK_IDS],
      method: 'get',
      path: `${BATHYMETRY_PATH}/{id}${suffix}`,
      id: `exportTrackAs${suffix.slice(1, 2).toUpperCase()}${suffix.slice(2)}`,
      summary: `Returns one or more of your tracks as ${name}.`,
      description: use,
      answers: {
        200: { description: 'The file', contentType, ...(schema && { schema }) },
        400: {
          description:
            'An id is not a UUID, there are too many ids, or the tracks belong to different vessels',
          error: 'bad_track_id',
        },
        404: { description: 'You have no track with one of the ids', error: 'track_not_found' },
        413: {
          description: 'The tracks together exceed the maximum number of soundings',
          error: 'too_many_soundings',
        },
      },
      handle: async (c) => {
        const tracks = await ownTracks(c, suffix);
        const name = tracks.length === 1 ? `track-${tracks[0]!.track.id}` : 'tracks';
        return c.body(write(c, tracks), 200, {
          'content-type': `${contentType}; charset=utf-8`,
          'content-disposition': `attachment; filename="${name}${suffix}"`,
          'cache-control': 'no-store',
        });
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
      'Only the user of the token can read a track. `externalUserId` identifies the end user if the token sends tracks for several users.',
    answers: {
      200: { description: 'The track', contentType: 'application/json', schema: trackSchema },
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
      if (!isGone) throw trackNotFound();
      return c.body(null, 204, { 'cache-control': 'no-store' });
    },
  },
];

/** @throws ApiError 400; 404 also for tracks of other callers; 413 */
async function ownTracks(c: AppContext, suffix: string): Promise<readonly TrackWithSoundings[]> {
  const { account, subject } = callerOf(c);
  const ids = readTrackIds(pathParameter(c, 'id', suffix));
  if (ids === undefined) {
    const message = `must be 1 to ${MAX_TRACKS_IN_FILE} UUIDs, separated by commas`;
    throw badReport([{ path: 'id', message }], 'bad_track_id');
  }
  const found = await findTracks(c.env, { account, subject }, ids, MAX_SOUNDINGS_IN_FILE);
  if (found === undefined) throw trackNotFound();
  if (found === 'too_many_points') throw tooManySoundings(MAX_SOUNDINGS_IN_FILE, 'The file');
  return found;
}

/** @throws ApiError 400; 404 also for tracks of other callers */
async function ownTrack(c: AppContext) {
  const { account, subject } = callerOf(c);
  const found = await findTrack(c.env, { account, subject }, trackIdOf(c));
  if (found === undefined) throw trackNotFound();
  return found;
}

function trackIdOf(c: AppContext): string {
  const id = readTrackId(pathParameter(c, 'id'));
  if (id === undefined)
    throw badReport([{ path: 'id', message: 'must be a UUID' }], 'bad_track_id');
  return id;
}

/** UUID namespace of vessel ids. */
const VESSELS = '3f0c2b52-9f0e-5c43-8d2a-6b9b1f6f4a51';

/** The sender's id of the vessel if it is valid in IHO B-12, otherwise an anonymous id. */
function vesselIdOf(c: AppContext, { about }: Track): string {
  const uniqueId = textIn(about.platform, 'uniqueId') ?? '';
  if (isVesselId(uniqueId)) return uniqueId;
  const { account, subject } = callerOf(c);
  const vessel = JSON.stringify([account, subject, about.externalUserId ?? '', uniqueId]);
  return `${c.get('settings').csbNode.id}-${uuidV5(vessel, VESSELS)}`;
}
