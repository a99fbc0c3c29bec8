// Reads shared tracks from the service's database, and stores the results.

import { Client } from 'pg';
import { unpackSoundings } from '../../shared/bathymetry/packed-points.ts';
import { sortedByTime } from '../../shared/bathymetry/soundings.ts';
import type { Details } from '../../shared/bathymetry/track.ts';
import {
  depthZero,
  hasKnownReference,
  waterlineOffset,
} from '../../shared/bathymetry/transducer.ts';
import type { TrackContribution } from '../../shared/crowd/contribution.ts';
import type { SharedTrack, TrackSource } from './build-crowd.ts';

export interface TrackDatabase extends TrackSource {
  /** Stores the contributions of tracks that still exist, and removes those of withdrawn tracks. */
  store(contributions: ReadonlyMap<string, TrackContribution>): Promise<void>;
  close(): Promise<void>;
}

/** Two builders would publish in turn: an advisory lock admits one. */
const LOCK = 1_668_445_047;
const ROWS_PER_STATEMENT = 500;

/** Another builder uses the database. */
export class BuilderRunning extends Error {}

interface Row {
  readonly account_id: string;
  readonly subject: string;
  readonly id: string;
  readonly version: string;
  readonly external_user_id: string;
  readonly platform_uid: string;
  readonly platform: Details | null;
  readonly provider: Details | null;
}

/**
 * @param url of PostgreSQL, with a login that owns the tables
 * @throws BuilderRunning
 */
export async function openTrackDatabase(url: string): Promise<TrackDatabase> {
  const client = new Client({ connectionString: url, keepAlive: true });
  // The next query reports a lost connection.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS held',
    [LOCK],
  );
  if (rows[0]?.held !== true) {
    await client.end();
    throw new BuilderRunning('Another charts crowd uses this database. Wait until it ends.');
  }
  return {
    list: () => listTracks(client),
    read: (track) => readTrack(client, track),
    store: (contributions) => storeContributions(client, contributions),
    close: () => client.end(),
  };
}

async function listTracks(client: Client): Promise<SharedTrack[]> {
  const { rows } = await client.query<Row>(
    `SELECT t.account_id, t.subject, t.id, t.updated_at || '/' || t.point_count AS version,
       about.external_user_id, about.platform_uid, about.platform, about.provider
     FROM track t JOIN track_about about ON about.id = t.about_id
     WHERE t.share <> 'private' AND NOT EXISTS
       (SELECT FROM account a WHERE a.id = t.account_id AND a.suspended_at IS NOT NULL)
     ORDER BY t.id`,
  );
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    account: row.account_id,
    subject: row.subject,
    externalUser: row.external_user_id,
    platform: row.platform_uid,
    // Without an id, each track can be of another vessel.
    zero: row.platform_uid === '' ? `track ${row.id}` : depthZero(row.platform, row.provider),
    transducer: hasKnownReference(row.platform, row.provider)
      ? (waterlineOffset(row.platform, row.provider) ?? 0)
      : undefined,
  }));
}

async function readTrack(client: Client, { account, subject, id }: SharedTrack) {
  const { rows } = await client.query<{ points: Buffer }>(
    `SELECT t.points || coalesce((SELECT string_agg(c.points, ''::bytea ORDER BY c.seq)
       FROM track_chunk c WHERE c.account_id = $1 AND c.subject = $2 AND c.track_id = $3),
       ''::bytea) AS points
     FROM track t
     WHERE t.account_id = $1 AND t.subject = $2 AND t.id = $3 AND t.share <> 'private'`,
    [account, subject, id],
  );
  const points = rows[0]?.points;
  return points === undefined ? undefined : sortedByTime(unpackSoundings(points));
}

async function storeContributions(
  client: Client,
  contributions: ReadonlyMap<string, TrackContribution>,
): Promise<void> {
  const all = [...contributions];
  for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT) {
    const rows = all.slice(from, from + ROWS_PER_STATEMENT).map(([key, summary]) => {
      const [account, subject, id] = JSON.parse(key) as [string, string, string];
      return { account_id: account, subject, track_id: id, summary };
    });
    await client.query(
      `INSERT INTO crowd_track (account_id, subject, track_id, summary)
       SELECT one.account_id, one.subject, one.track_id, one.summary
       FROM jsonb_to_recordset($1::jsonb)
         AS one (account_id text, subject text, track_id uuid, summary jsonb)
       JOIN track t ON t.account_id = one.account_id AND t.subject = one.subject
         AND t.id = one.track_id AND t.share <> 'private'
       -- Tracks that another transaction deletes are left out: to wait for it could be a deadlock.
       FOR KEY SHARE OF t SKIP LOCKED
       ON CONFLICT (account_id, subject, track_id) DO UPDATE SET summary = EXCLUDED.summary`,
      [JSON.stringify(rows)],
    );
  }
  await client.query(
    `DELETE FROM crowd_track c USING track t WHERE t.account_id = c.account_id
       AND t.subject = c.subject AND t.id = c.track_id AND t.share = 'private'`,
  );
}
