// Saved styles in the database, always within one account.

import { and, count, desc, eq, sql } from 'drizzle-orm';
import {
  MAX_SAVED_STYLES,
  type SavedStyle,
  type SavedStyleInput,
} from '../../shared/contract/saved-style.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { readDatabase, writeDatabase } from './ask-database.ts';
import type { Database } from './client.ts';
import { brokenUnique } from './faults.ts';
import { savedStyle } from './schema.ts';
import { withStanding } from './standing.ts';

const { accountId, ...SHOWN } = {
  id: savedStyle.id,
  name: savedStyle.name,
  baseTheme: savedStyle.baseTheme,
  parameters: savedStyle.parameters,
  createdAt: savedStyle.createdAt,
  updatedAt: savedStyle.updatedAt,
  accountId: savedStyle.accountId,
};

const ofAccount = (account: string, id: string) =>
  and(eq(accountId, account), eq(savedStyle.id, id));

/** The styles of an account, newest first. */
export const listStyles = (env: Env, account: string, limitMs?: number): Promise<SavedStyle[]> =>
  readDatabase(
    env,
    (database) =>
      database
        .select(SHOWN)
        .from(savedStyle)
        .where(eq(accountId, account))
        .orderBy(desc(savedStyle.createdAt), desc(savedStyle.id)),
    limitMs === undefined ? {} : { limitMs },
  );

export async function findStyle(
  env: Env,
  account: string,
  id: string,
): Promise<SavedStyle | undefined> {
  const [found] = await readDatabase(env, (database) => selectOne(database, account, id));
  return found;
}

const selectOne = (database: Database, account: string, id: string) =>
  database.select(SHOWN).from(savedStyle).where(ofAccount(account, id));

/** @param id new, and the same when asked again after an answer was lost */
export function createStyle(
  env: Env,
  caller: Caller,
  id: string,
  input: SavedStyleInput,
  nowMs: number,
): Promise<SavedStyle | 'name_taken' | 'too_many'> {
  const { account } = caller;
  return writeDatabase(env, async (database) => {
    const [held] = await database
      .select({ number: count() })
      .from(savedStyle)
      .where(eq(accountId, account));
    // Our own earlier attempt may have got through although its answer did not.
    const ownOr = async <T>(otherwise: T) =>
      (await selectOne(database, account, id))[0] ?? otherwise;
    if ((held?.number ?? 0) >= MAX_SAVED_STYLES) return ownOr('too_many' as const);
    const row = { id, accountId: account, ...input, createdAt: nowMs, updatedAt: nowMs };
    try {
      const insert = database.insert(savedStyle).values(row).returning(SHOWN);
      const [made] = await withStanding(database, caller, insert);
      return made!;
    } catch (error) {
      if (brokenUnique(error) === undefined) throw error;
      return ownOr('name_taken' as const);
    }
  });
}

export function replaceStyle(
  env: Env,
  caller: Caller,
  id: string,
  input: SavedStyleInput,
  nowMs: number,
): Promise<SavedStyle | 'name_taken' | undefined> {
  return writeDatabase(env, async (database) => {
    try {
      const update = database
        .update(savedStyle)
        .set({ ...input, updatedAt: sql`greatest(${nowMs}, ${savedStyle.updatedAt} + 1)` })
        .where(ofAccount(caller.account, id))
        .returning(SHOWN);
      const [changed] = await withStanding(database, caller, update);
      return changed;
    } catch (error) {
      if (brokenUnique(error) === undefined) throw error;
      return 'name_taken';
    }
  });
}

/**
 * Whether there was such a style. A repeated attempt after a lost answer says no: it is gone either
 * way.
 */
export async function deleteStyle(env: Env, caller: Caller, id: string): Promise<boolean> {
  const gone = await writeDatabase(env, (database) => {
    const removed = database.delete(savedStyle).where(ofAccount(caller.account, id));
    return withStanding(database, caller, removed.returning({ id: savedStyle.id }));
  });
  return gone.length > 0;
}
