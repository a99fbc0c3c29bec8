// Statements that change something, sent as one transaction in one request that the server itself ends
// before its sender gives up: what is refused for having taken too long is then not there.
//
// The limit is set within the transaction, as nothing of a session outlives one; a setting of a function
// would not do, as the timer of a running statement is started before it.

import { sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './client.ts';

/** A transaction to be put: by one of the two, once. */
export interface WriteTransaction {
  /** To make statements with. */
  readonly database: Database;
  /** One call of a function. @param statement with `$1` and so on for the values @returns its rows */
  call<Row>(statement: string, values: readonly unknown[]): Promise<Row[]>;
  /** Statements in turn. @returns what the last one answers */
  run<Last extends BatchItem<'pg'>>(
    ...statements: readonly [...BatchItem<'pg'>[], Last]
  ): Promise<Awaited<Last>>;
}

/** For the answer to come back after the server's own limit. */
const ANSWER_MS = 600;
/** However little time is left. */
const LEAST_STATEMENT_MS = 50;

const SET_LIMIT = "SELECT set_config('statement_timeout', $1, true)";

/** @param leftMs until the sender gives up */
export function writeTransaction(database: Database, leftMs: number): WriteTransaction {
  const statementMs = String(Math.max(Math.floor(leftMs - ANSWER_MS), LEAST_STATEMENT_MS));
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
