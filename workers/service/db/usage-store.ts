// Requests by token and day, added to what the database knows.

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
  await writeDatabase(env, (write) =>
    write.call('SELECT add_usage($1, $2::date[], $3, $4, $5)', [
      reportId,
      counts.map(({ day }) => day),
      counts.map(({ tokenId }) => tokenId),
      counts.map(({ account }) => account),
      counts.map(({ requests }) => requests),
    ]),
  );
}
