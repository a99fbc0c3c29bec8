// Tracks in the database. All functions but `findAccountTrack` are limited to one sender.

import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { SOUNDING_BYTES, unpackSoundings } from '../../../shared/bathymetry/packed-points.ts';
import { type Soundings, sortedByTime } from '../../../shared/bathymetry/soundings.ts';
import type { Track, TrackWithSoundings } from '../../../shared/bathymetry/track.ts';
import type { TrackQuery } from '../../../shared/contract/tracks.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { readDatabase, writeDatabase } from './ask-database.ts';
import { fromBase64 } from './base64.ts';
import { track, trackAbout, trackChunk } from './schema.ts';

interface Sender {
  readonly account: string;
  readonly subject: string;
}

const ofSender = ({ account, subject }: Sender) =>
  and(eq(track.accountId, account), eq(track.subject, subject));

const COLUMNS = {
  id: track.id,
  subject: track.subject,
  pointCount: track.pointCount,
  startTime: track.startTime,
  endTime: track.endTime,
  bounds: { west: track.west, south: track.south, east: track.east, north: track.north },
  platform: trackAbout.platform,
  provider: trackAbout.provider,
  timeUnits: trackAbout.timeUnits,
  convention: trackAbout.convention,
  externalUserId: trackAbout.externalUserId,
  share: track.share,
  createdAt: track.createdAt,
  updatedAt: track.updatedAt,
};

type Row = Omit<Track, 'about' | 'bounds'> &
  Omit<Track['about'], 'externalUserId'> & {
    readonly externalUserId: string;
    readonly bounds: Record<'west' | 'south' | 'east' | 'north', number>;
  };

function trackOf(row: Row): Track {
  const { platform, provider, timeUnits, convention, externalUserId, bounds, ...rest } = row;
  const about = {
    platform,
    provider,
    timeUnits,
    convention,
    externalUserId: externalUserId || null,
  };
  return { ...rest, about, bounds: [bounds.west, bounds.south, bounds.east, bounds.north] };
}

/** The original and the appended points of a track. */
const ALL_POINTS: SQL = sql`${track.points} || coalesce((
  SELECT string_agg(${trackChunk.points}, ''::bytea ORDER BY ${trackChunk.seq}) FROM ${trackChunk}
  WHERE ${trackChunk.accountId} = ${track.accountId} AND ${trackChunk.subject} = ${track.subject}
    AND ${trackChunk.trackId} = ${track.id}), ''::bytea)`;

const WITH_POINTS = { ...COLUMNS, points: sql<string>`encode(${ALL_POINTS}, 'base64')` };

/** Tracks, newest first; one more than the limit if there are more. */
export async function listTracks(env: Env, sender: Sender, query: TrackQuery): Promise<Track[]> {
  const { cursor: before, platform, externalUserId, limit } = query;
  const rows = await readDatabase(env, (database) =>
    database
      .select(COLUMNS)
      .from(track)
      .innerJoin(trackAbout, eq(trackAbout.id, track.aboutId))
      .where(
        and(
          ofSender(sender),
          before === undefined ? undefined : lt(track.id, before),
          platform === undefined ? undefined : eq(trackAbout.platformUid, platform),
          externalUserId === undefined ? undefined : eq(trackAbout.externalUserId, externalUserId),
        ),
      )
      .orderBy(desc(track.id))
      .limit(limit + 1),
  );
  return rows.map(trackOf);
}

/**
 * Tracks with these ids, the earliest first.
 * @param most points of all together; more are not read if there are several tracks
 * @returns undefined if one of them is not the sender's
 */
export async function findTracks(
  env: Env,
  sender: Sender,
  ids: readonly string[],
  most: number,
): Promise<readonly TrackWithSoundings[] | 'too_many_points' | undefined> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) {
    const found = await findTrack(env, sender, only);
    return found === undefined ? undefined : [found];
  }
  const isRequested = and(ofSender(sender), inArray(track.id, [...ids]));
  const counted = await readDatabase(env, (database) =>
    database.select({ points: track.pointCount }).from(track).where(isRequested),
  );
  if (counted.length < ids.length) return undefined;
  if (counted.reduce((sum, { points }) => sum + points, 0) > most) return 'too_many_points';
  const rows = await readDatabase(env, (database) =>
    database
      .select(WITH_POINTS)
      .from(track)
      .innerJoin(trackAbout, eq(trackAbout.id, track.aboutId))
      .where(isRequested)
      .orderBy(track.startTime, track.id),
  );
  return rows.length < ids.length ? undefined : rows.map(trackWithSoundings);
}

/** A track with its points, sorted by time. */
export const findTrack = (env: Env, sender: Sender, id: string) =>
  findOne(env, and(ofSender(sender), eq(track.id, id)));

/** A track of any sender of an account. */
export const findAccountTrack = (env: Env, account: string, id: string) =>
  findOne(env, and(eq(track.accountId, account), eq(track.id, id)));

async function findOne(env: Env, isRequested: SQL | undefined) {
  const [row] = await readDatabase(env, (database) =>
    database
      .select(WITH_POINTS)
      .from(track)
      .innerJoin(trackAbout, eq(trackAbout.id, track.aboutId))
      .where(isRequested),
  );
  return row === undefined ? undefined : trackWithSoundings(row);
}

const trackWithSoundings = ({
  points,
  ...rest
}: Row & { readonly points: string }): TrackWithSoundings => ({
  track: trackOf(rest),
  soundings: sortedByTime(unpackSoundings(fromBase64(points))),
});

/** Whether the track existed. A retry after a lost response returns false. */
export async function deleteTrack(env: Env, caller: Caller, id: string): Promise<boolean> {
  const { tokenId, generation, account, subject } = caller;
  const [row] = await writeDatabase(env, (write) =>
    write.call<{ gone: boolean }>('SELECT delete_track($1, $2, $3, $4, $5) AS gone', [
      tokenId,
      generation,
      account,
      subject,
      id,
    ]),
  );
  return row?.gone === true;
}

/** Soundings of the tracks that intersect a box, newest tracks first. */
interface NearSoundings {
  readonly soundings: Soundings;
  /** Number of points of all these tracks, and of the tracks that were read. */
  readonly found: number;
  readonly returned: number;
}

/**
 * @param box degrees; west is greater than east across 180°
 * @param most maximum number of points
 */
export async function soundingsNear(
  env: Env,
  { account, subject }: Sender,
  box: Readonly<Record<'west' | 'south' | 'east' | 'north', number>>,
  most: number,
): Promise<NearSoundings> {
  const { west, south, east, north } = box;
  const { rows } = await readDatabase(env, (database) =>
    database.execute<{ points: string | null; found: string | null; returned: string | null }>(sql`
      SELECT max(so_far) AS found, least(max(so_far), ${most}::bigint) AS returned,
        encode(string_agg(
          CASE WHEN so_far <= ${most}::bigint THEN ${ALL_POINTS}
            ELSE substring(${ALL_POINTS} for ((${most}::bigint - before) * ${SOUNDING_BYTES}::int)::int) END,
          ''::bytea) FILTER (WHERE before < ${most}::bigint), 'base64') AS points
      FROM (
        SELECT account_id, subject, id, points, sum(point_count) OVER newest AS so_far,
          sum(point_count) OVER newest - point_count AS before
        FROM track
        WHERE account_id = ${account} AND subject = ${subject}
          AND south <= ${north}::float8 AND north >= ${south}::float8
          AND CASE WHEN ${west}::float8 <= ${east}::float8
            THEN west <= ${east}::float8 AND east >= ${west}::float8
            ELSE west <= ${east}::float8 OR east >= ${west}::float8 END
        WINDOW newest AS (ORDER BY id DESC)
      ) AS track`),
  );
  const { points = null, found = 0, returned = 0 } = rows[0] ?? {};
  return {
    soundings: unpackSoundings(fromBase64(points ?? '')),
    found: Number(found),
    returned: Number(returned),
  };
}
