// Adds request counts by token, day and kind to the database.

import type { Env } from '../runtime/env.ts';
import { writeDatabase } from './ask-database.ts';

/** Requests of a token and kind on a day. */
export interface Count {
  /** In UTC, such as 2030-06-01. */
  readonly day: string;
  readonly tokenId: string;
  readonly account: string;
  /** The group of endpoints. */
  readonly kind: string;
  readonly requests: number;
  /** Of these, with status 4xx. */
  readonly refused: number;
  /** Of these, with status 5xx. */
  readonly failed: number;
}

/** @param reportId counts with the same id are added only once within an hour */
export async function addUsage(env: Env, reportId: string, counts: readonly Count[]) {
  await writeDatabase(env, (write) =>
    write.call('SELECT add_usage($1, $2::date[], $3, $4, $5, $6, $7, $8)', [
      reportId,
      counts.map(({ day }) => day),
      counts.map(({ tokenId }) => tokenId),
      counts.map(({ account }) => account),
      counts.map(({ kind }) => kind),
      counts.map(({ requests }) => requests),
      counts.map(({ refused }) => refused),
      counts.map(({ failed }) => failed),
    ]),
  );
}
