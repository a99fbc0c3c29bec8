// The tracks of an account in the portal, through functions of the database that check the session.

import { measureTrack } from '../../../shared/bathymetry/measure-track.ts';
import { unpackSoundings } from '../../../shared/bathymetry/packed-points.ts';
import { sortedByTime } from '../../../shared/bathymetry/soundings.ts';
import type { PortalTrack, PortalTrackList } from '../../../shared/contract/portal-tracks.ts';
import type { Env } from '../runtime/env.ts';
import { fromBase64 } from './base64.ts';
import { callPortal, runFunction } from './call-portal.ts';

/** Points that are read to measure the tracks of a page: 1.6 MB. */
const MAX_POINTS = 50_000;

interface TrackRow {
  readonly listed: Omit<PortalTrack, 'leastDepth' | 'greatestDepth' | 'lengthMeters'>;
  readonly packed: string;
  readonly is_last: boolean;
}

/** A page of tracks, newest first. @param before id of a track @throws ApiError for a broken rule, 503 */
export async function listAccountTracks(
  env: Env,
  session: string,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<PortalTrackList> {
  const rows = await callPortal<TrackRow>(
    env,
    'SELECT listed, packed, is_last FROM portal_list_tracks($1, $2, $3, $4)',
    [session, before ?? null, limit, MAX_POINTS],
  );
  const tracks = rows.map(({ listed, packed }) => ({
    ...listed,
    ...measureTrack(sortedByTime(unpackSoundings(fromBase64(packed)))),
  }));
  const last = rows.at(-1);
  return { tracks, nextCursor: last === undefined || last.is_last ? null : last.listed.id };
}

/** @throws ApiError 404, 503 */
export const deleteAccountTrack = (env: Env, session: string, id: string): Promise<void> =>
  runFunction(env, 'portal_delete_track', [session, id]);
