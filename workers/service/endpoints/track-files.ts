// Files of tracks, for the sender and for the portal.

import { v5 as uuidV5 } from 'uuid';
import type * as z from 'zod';
import { type Track, type TrackWithSoundings, textIn } from '../../../shared/bathymetry/track.ts';
import { isVesselId, trackB12 } from '../../../shared/bathymetry/track-b12.ts';
import { trackCsv } from '../../../shared/bathymetry/track-csv.ts';
import { trackGpx } from '../../../shared/bathymetry/track-gpx.ts';
import { trackFileSchema } from '../../../shared/contract/tracks.ts';
import type { AppContext } from '../http/endpoint.ts';
import { derivedSecret, userTokenSecret } from '../identity/user-token.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { sha256 } from '../runtime/sha256.ts';

interface FileKind {
  readonly suffix: string;
  readonly name: string;
  /** Description of its purpose. */
  readonly use: string;
  readonly contentType: string;
  /** Of a file in JSON. */
  readonly schema?: z.ZodType;
  /** @throws ApiError 400 if the format cannot hold these tracks in one file */
  readonly write: (
    c: AppContext,
    account: string,
    tracks: readonly TrackWithSoundings[],
  ) => string | Promise<string>;
}

export const TRACK_FILES: readonly FileKind[] = [
  {
    suffix: '.geojson',
    name: 'GeoJSON for crowdsourced bathymetry ("GeoJSON CSB 3.1", IHO B-12)',
    use: 'For the IHO Data Centre for Digital Bathymetry and for geographic information systems. All tracks of a file must have the same vessel, logger, provider and reference of the depths.',
    contentType: 'application/geo+json',
    schema: trackFileSchema,
    write: async (c, account, tracks) => {
      const { csbNodeId, csbProviderName, csbProviderEmail, csbDataLicense } = c.get('settings');
      const node = {
        name: csbProviderName,
        email: csbProviderEmail,
        dataLicense: csbDataLicense,
      };
      const ids = new Map<Track, string>();
      for (const { track } of tracks)
        ids.set(track, await vesselIdOf(c.env, csbNodeId, account, track));
      const text = trackB12(tracks, (track) => ids.get(track)!, node);
      if (text === undefined) throw new ApiError('mixed_vessels');
      return text;
    },
  },
  {
    suffix: '.csv',
    name: 'CSV: longitude, latitude, depth in metres, time in UTC',
    use: 'For spreadsheets: a header line, then one line per sounding (RFC 4180), track by track.',
    contentType: 'text/csv',
    write: (_c, _account, tracks) => trackCsv(tracks.map(({ soundings }) => soundings)),
  },
  {
    suffix: '.gpx',
    name: 'GPX 1.1, with depths in Garmin’s track point extension',
    use: 'For chart plotters: one `trk` element per track.',
    contentType: 'application/gpx+xml',
    write: (_c, _account, tracks) => trackGpx(tracks),
  },
];

export const fileAnswer = ({ contentType, schema }: FileKind) => ({
  description: 'The file',
  contentType,
  ...(schema && { schema }),
});

/** The tracks as a file to download. @throws ApiError 400 */
export async function sendTrackFile(
  c: AppContext,
  { suffix, contentType, write }: FileKind,
  account: string,
  tracks: readonly TrackWithSoundings[],
): Promise<Response> {
  const name = tracks.length === 1 ? `track-${tracks[0]!.track.id}` : 'tracks';
  return c.body(await write(c, account, tracks), 200, {
    'content-type': `${contentType}; charset=utf-8`,
    'content-disposition': `attachment; filename="${name}${suffix}"`,
    'cache-control': 'no-store',
  });
}

/** The name of the operation that returns such a file, as a suffix. */
export const nameOfKind = ({ suffix }: FileKind): string =>
  `${suffix.slice(1, 2).toUpperCase()}${suffix.slice(2)}`;

/** UUID namespace of vessel ids. */
const VESSELS = '3f0c2b52-9f0e-5c43-8d2a-6b9b1f6f4a51';

/**
 * The sender's id of the vessel if it is valid in IHO B-12, otherwise an anonymous id. Without a secret, guesses of the
 * sender could be compared with the id.
 */
export async function vesselIdOf(
  env: Env,
  nodeId: string,
  account: string,
  { subject, about }: Track,
): Promise<string> {
  const uniqueId = textIn(about.platform, 'uniqueId') ?? '';
  if (isVesselId(uniqueId)) return uniqueId;
  const vessel = JSON.stringify([account, subject, about.externalUserId ?? '', uniqueId]);
  const secret = userTokenSecret(env);
  if (secret === undefined) return `${nodeId}-${uuidV5(vessel, VESSELS)}`;
  const digest = await sha256(new TextEncoder().encode(vessel));
  const text = await derivedSecret(secret, `leadline vessel ids ${digest}`);
  return `${nodeId}-${uuidV5(text, VESSELS)}`;
}
