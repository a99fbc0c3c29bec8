// The `tokens` command with a separate database and data folder.

import { decodeJwt } from 'jose';
import { afterAll, beforeAll } from 'vitest';
import { freshDatabase, type TestDatabase } from './database.ts';
import { scratchFolder } from './scratch-folder.ts';
import { tokensOver } from './tokens-command.ts';

/** Creates the accounts `acme` and `fleet` before the tests of a file. */
export function useTokensCommand() {
  let database: TestDatabase;
  const data = scratchFolder();
  let over = tokensOver('', data);
  beforeAll(async () => {
    database = await freshDatabase();
    over = tokensOver(database.ownerUrl, data);
    await over.tokens('keys', 'create');
    await over.tokens('account', 'create', 'acme');
    await over.tokens('account', 'create', 'fleet', '--plan', 'enterprise', '--pilot', '--admin');
  });
  afterAll(async () => {
    await database?.stop();
  });
  const tokens = (...words: string[]) => over.tokens(...words);
  return {
    data,
    tokens,
    run: (...words: string[]) => over.run(...words),
    spawned: (...words: string[]) => over.spawned(...words),
    ownerUrl: () => database.ownerUrl,
    workerUrl: () => database.bindings.DATABASE_URL,
    query: (sql: string, values?: readonly unknown[]) => database.query(sql, values as never),
    claimsOf: (printed: string) => decodeJwt(printed.trim()),
    rowOf: async (printed: string) =>
      JSON.parse(await tokens('show', printed.trim())) as Record<string, unknown>,
  };
}
