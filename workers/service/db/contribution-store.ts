// What the tracks of an account added to the crowdsourced depths, as `charts crowd` stored it.

import { type SQL, sql } from 'drizzle-orm';
import { type Contributions, MAX_VESSELS } from '../../../shared/contract/contributions.ts';
import { REJECTIONS, type TrackContribution } from '../../../shared/crowd/contribution.ts';
import type { Env } from '../runtime/env.ts';
import { readDatabase } from './ask-database.ts';

type Row = Contributions['vessels'][number] & Pick<Contributions, 'builtAt'>;

const rejected = sql.join(
  REJECTIONS.map((name) => sql.raw(`'${name}', sum((c.summary->'rejected'->>'${name}')::bigint)`)),
  sql`, `,
);
const sum = (field: string): SQL => sql.raw(`coalesce(sum((c.summary->>'${field}')::bigint), 0)`);

/** What the builder stored about shared tracks of an account, by id. @throws ApiError 503 */
export async function summariesOf(
  env: Env,
  account: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TrackContribution>> {
  const list = sql.join(
    ids.map((id) => sql`${id}::uuid`),
    sql`, `,
  );
  const { rows } = await readDatabase(env, (database) =>
    database.execute<{ id: string; summary: TrackContribution }>(sql`
      SELECT c.track_id AS id, c.summary FROM crowd_track AS c
      JOIN track AS t ON t.account_id = c.account_id AND t.subject = c.subject AND t.id = c.track_id
      WHERE c.account_id = ${account} AND c.track_id IN (${list})
        AND t.share <> 'private'`),
  );
  return new Map(rows.map(({ id, summary }) => [id, summary]));
}

/** @throws ApiError 503 */
export async function contributionsOf(env: Env, account: string): Promise<Contributions> {
  const { rows } = await readDatabase(env, (database) =>
    database.execute<{ part: Row }>(sql`
      SELECT jsonb_build_object(
        'platform', coalesce(nullif(max(about.platform ->> 'name'), ''), nullif(about.platform_uid, '')),
        'subject', t.subject, 'externalUserId', nullif(about.external_user_id, ''),
        'tracks', count(*), 'privateTracks', count(*) FILTER (WHERE t.share = 'private'),
        'waitingTracks', count(*) FILTER (WHERE t.share <> 'private' AND c.summary IS NULL),
        'soundings', ${sum('points')}, 'used', ${sum('used')},
        'rejected', jsonb_strip_nulls(jsonb_build_object(${rejected})),
        'cells', ${sum('bins')}, 'publicCells', ${sum('publicBins')},
        'addedCells', ${sum('addedBins')}, 'possibleShoals', ${sum('shoals')},
        'builtAt', max((c.summary->>'builtAt')::bigint),
        'bias', (array_agg(c.summary->'bias' ORDER BY t.end_time DESC, t.id DESC)
          FILTER (WHERE c.summary IS NOT NULL))[1]) AS part
      FROM track AS t JOIN track_about AS about ON about.id = t.about_id
      LEFT JOIN crowd_track AS c ON c.account_id = t.account_id AND c.subject = t.subject
        AND c.track_id = t.id AND t.share <> 'private'
      WHERE t.account_id = ${account}
      GROUP BY GROUPING SETS ((), (t.subject, about.external_user_id, about.platform_uid))
      ORDER BY grouping(t.subject) DESC, count(*) DESC, t.subject, about.platform_uid
      LIMIT ${MAX_VESSELS + 1}::int`),
  );
  // The first row is the sum of all.
  const [all, ...vessels] = rows.map(({ part }) => part);
  const { platform: _, subject: _1, externalUserId: _2, bias: _3, ...total } = all!;
  return { ...total, vessels: vessels.map(vesselOf) };
}

function vesselOf({ builtAt: _, bias, ...vessel }: Row): Contributions['vessels'][number] {
  // As the builder stores it.
  const { meters, unc, crossings } = (bias ?? {}) as unknown as Readonly<Record<string, number>>;
  return {
    ...vessel,
    bias: bias === null ? null : { meters: meters!, uncertainty: unc!, crossings: crossings! },
  };
}
