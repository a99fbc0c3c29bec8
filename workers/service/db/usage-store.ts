// Adds request counts by token and day to the database.

import type { Env } from '../runtime/env.ts';
import { writeDatabase } from './ask-database.ts';

/** Requests of a token on a day. */
export interface Count {
  /** In UTC, such as 2030-06-01. */
  readonly day: string;
  readonly tokenId: string;
  readonly account: string;
  readonly requests: number;
}

/** @param reportId counts with the same id are added only once within an hour */
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
