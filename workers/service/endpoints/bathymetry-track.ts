// GET and DELETE /api/v1/user-reports/bathymetry/{id}, and the track as a file of a kind:
// {id}.geojson, {id}.csv, {id}.gpx

import { v5 as uuidV5 } from 'uuid';
import * as z from 'zod';
import { canonicalPoints } from '../../../shared/bathymetry/canonical-points.ts';
import type { Soundings } from '../../../shared/bathymetry/soundings.ts';
import { type Track, textIn } from '../../../shared/bathymetry/track.ts';
import { isVesselId, trackB12 } from '../../../shared/bathymetry/track-b12.ts';
import { trackCsv } from '../../../shared/bathymetry/track-csv.ts';
import { trackGpx } from '../../../shared/bathymetry/track-gpx.ts';
import { presentTrack, readTrackId, trackSchema } from '../../../shared/contract/tracks.ts';
import { deleteTrack, findTrack } from '../db/track-store.ts';
import { type AppContext, type Endpoint, type Parameter, pathParameter } from '../http/endpoint.ts';
import { withAskable } from '../http/idempotency-key.ts';
import { trackNotFound } from '../runtime/errors.ts';
import { BATHYMETRY_PATH, BATHYMETRY_TAG } from './bathymetry.ts';
import { badReport, callerOf } from './report-requests.ts';

const TRACK_ID: Parameter = {
  name: 'id',
  in: 'path',
  description: 'Id of a track, a UUID',
  schema: z.string(),
  required: true,
};

const common = {
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: [TRACK_ID],
} as const;

const refusals = {
  400: { description: 'The id is no UUID' },
  404: { description: 'There is no such track of the caller' },
};

interface FileKind {
  readonly suffix: string;
  readonly name: string;
  /** What it is for, in a sentence. */
  readonly use: string;
  readonly contentType: string;
  readonly write: (c: AppContext, track: Track, soundings: Soundings) => string;
}

const FILES: readonly FileKind[] = [
  {
    suffix: '.geojson',
    name: 'GeoJSON by the IHO’s guideline B-12 for crowdsourced bathymetry, "GeoJSON CSB 3.1"',
    use: 'For the IHO’s data centre for digital bathymetry, and for geographic information systems.',
    contentType: 'application/geo+json',
    write: (c, track, soundings) =>
      trackB12(track, soundings, vesselIdOf(c, track), c.get('settings').csbNode),
  },
  {
    suffix: '.csv',
    name: 'CSV: longitude, latitude, depth in metres, time in UTC',
    use: 'For spreadsheets: one sounding a line below a heading (RFC 4180).',
    contentType: 'text/csv',
    write: (_, __, soundings) => trackCsv(soundings),
  },
  {
    suffix: '.gpx',
    name: 'GPX 1.1, depths by Garmin’s extension of track points',
    use: 'For plotters that read tracks.',
    contentType: 'application/gpx+xml',
    write: (_, track, soundings) => trackGpx(track, soundings),
  },
];

/** Files first: an id takes any suffix for a part of itself. */
export const bathymetryTrack: readonly Endpoint[] = [
  ...FILES.map(
    ({ suffix, name, use, contentType, write }): Endpoint => ({
      ...common,
      method: 'get',
      path: `${BATHYMETRY_PATH}/{id}${suffix}`,
      id: `exportTrackAs${suffix.slice(1, 2).toUpperCase()}${suffix.slice(2)}`,
      summary: `One of one’s own tracks as ${name}.`,
      description: use,
      answers: { 200: { description: 'The file', contentType }, ...refusals },
      handle: async (c) => {
        const { track, soundings } = await ownTrack(c, suffix);
        return c.body(write(c, track, soundings), 200, {
          'content-type': `${contentType}; charset=utf-8`,
          'content-disposition': `attachment; filename="track-${track.id}${suffix}"`,
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
    summary: 'One of one’s own tracks with its points, sorted by time.',
    description:
      'Only its owner sees it: the user of the token, with `externalUserId` where the token speaks for several.',
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
    summary: 'Delete one of one’s own tracks with its points, for good.',
    description: 'Its soundings go with it, and cannot be had back.',
    answers: { 204: { description: 'Deleted' }, ...refusals },
    handle: async (c) => {
      const id = trackIdOf(c);
      const isGone = await withAskable({ id }, deleteTrack(c.env, callerOf(c), id));
      if (!isGone) throw trackNotFound();
      return c.body(null, 204, { 'cache-control': 'no-store' });
    },
  },
];

/** @throws ApiError 400, 404 for what is not the caller's too */
async function ownTrack(c: AppContext, suffix = '') {
  const { account, subject } = callerOf(c);
  const found = await findTrack(c.env, { account, subject }, trackIdOf(c, suffix));
  if (found === undefined) throw trackNotFound();
  return found;
}

function trackIdOf(c: AppContext, suffix = ''): string {
  const id = readTrackId(pathParameter(c, 'id', suffix));
  if (id === undefined)
    throw badReport([{ path: 'id', message: 'must be a UUID' }], 'bad_track_id');
  return id;
}

/** Ours alone, so that no other list of vessels gives the same names. */
const VESSELS = '3f0c2b52-9f0e-5c43-8d2a-6b9b1f6f4a51';

/** The sender's own name for the vessel where it is one, else one that tells nothing of anybody. */
function vesselIdOf(c: AppContext, { about }: Track): string {
  const uniqueId = textIn(about.platform, 'uniqueId') ?? '';
  if (isVesselId(uniqueId)) return uniqueId;
  const { account, subject } = callerOf(c);
  const vessel = JSON.stringify([account, subject, about.externalUserId ?? '', uniqueId]);
  return `${c.get('settings').csbNode.id}-${uuidV5(vessel, VESSELS)}`;
}
