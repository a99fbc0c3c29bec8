// Requests by token and day, added to what the database knows.

import { sql } from 'drizzle-orm';
import type { Env } from '../runtime/env.ts';
import { writeDatabase } from './ask-database.ts';

/** What was counted of one token on one day. */
export interface Count {
  /** In UTC, such as 2030-06-01. */
  readonly day: string;
  readonly tokenId: string;
  readonly account: string;
  readonly requests: number;
}

/** @param reportId counts sent twice under one id count once, for an hour */
export async function addUsage(env: Env, reportId: string, counts: readonly Count[]) {
  const column = (values: readonly (string | number)[]) => sql.param(values);
  const days = column(counts.map(({ day }) => day));
  const tokens = column(counts.map(({ tokenId }) => tokenId));
  const accounts = column(counts.map(({ account }) => account));
  const requests = column(counts.map((count) => count.requests));
  await writeDatabase(env, (database) =>
    database.execute(
      sql`SELECT add_usage(${reportId}::uuid, ${days}::date[], ${tokens}::text[], ${accounts}::text[], ${requests}::bigint[])`,
    ),
  );
}
