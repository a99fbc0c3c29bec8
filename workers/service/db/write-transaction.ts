// Write transactions, sent in one request. The server cancels them before the client times out, so
// a write that is reported as too slow was not done.
//
// The limit is set within the transaction, because sessions are not kept. A setting of a function
// would be too late: the timer of a statement starts before it.

import { sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './client.ts';

/** A transaction. Call one of the two methods once. */
export interface WriteTransaction {
  /** For building statements. */
  readonly database: Database;
  /** Calls a function. @param statement with placeholders `$1` and so on @returns the rows */
  call<Row>(statement: string, values: readonly unknown[]): Promise<Row[]>;
  /** Runs statements in order. @returns the result of the last one */
  run<Last extends BatchItem<'pg'>>(
    ...statements: readonly [...BatchItem<'pg'>[], Last]
  ): Promise<Awaited<Last>>;
}

/** Time for the response after the server's limit. */
const ANSWER_MS = 600;
/** Minimum limit, even if less time is left. */
const MIN_STATEMENT_MS = 50;

const SET_LIMIT = "SELECT set_config('statement_timeout', $1, true)";

/** @param leftMs time until the client times out */
export function writeTransaction(database: Database, leftMs: number): WriteTransaction {
  const statementMs = String(Math.max(Math.floor(leftMs - ANSWER_MS), MIN_STATEMENT_MS));
  const { $client } = database;
  return {
    database,
    async call<Row>(statement: string, values: readonly unknown[]) {
      const [, rows] = await $client.transaction([
        $client.query(SET_LIMIT, [statementMs]),
        $client.query(statement, [...values]),
      ]);
      return rows as Row[];
    },
    async run<Last extends BatchItem<'pg'>>(
      ...statements: readonly [...BatchItem<'pg'>[], Last]
    ): Promise<Awaited<Last>> {
      const limit = sql`SELECT set_config('statement_timeout', ${statementMs}, true)`;
      const answers = await database.batch([database.execute(limit), ...statements]);
      return answers.at(-1) as Awaited<Last>;
    },
  };
}
