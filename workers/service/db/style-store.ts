// Saved styles in the database, always within one account.

import { and, desc, eq, sql } from 'drizzle-orm';
import {
  MAX_SAVED_STYLES,
  type SavedStyle,
  type SavedStyleInput,
} from '../../../shared/contract/saved-style.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { readDatabase, writeDatabase } from './ask-database.ts';
import type { Database } from './client.ts';
import { type Creation, type CreationRow, creationOf, type RequestIdentity } from './creation.ts';
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

type Refused = 'name_taken' | 'too_many';

/** @param id a new id, the same in every attempt */
export async function createStyle(
  env: Env,
  caller: Caller,
  { key, bodySha256 }: RequestIdentity,
  { id, createdAt, name, baseTheme, parameters }: Omit<SavedStyle, 'updatedAt'>,
): Promise<Creation<Refused>> {
  const { tokenId, account, generation, subject } = caller;
  const [row] = await writeDatabase(env, (write) =>
    write.call<CreationRow<Refused>>(
      'SELECT * FROM create_style($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
      [
        createdAt,
        tokenId,
        account,
        generation,
        subject,
        key ?? null,
        bodySha256,
        id,
        name,
        baseTheme,
        JSON.stringify(parameters),
        MAX_SAVED_STYLES,
      ],
    ),
  );
  return creationOf(row!);
}

/** Sets the given fields of a style. */
export function changeStyle(
  env: Env,
  caller: Caller,
  id: string,
  change: Partial<SavedStyleInput>,
  nowMs: number,
): Promise<SavedStyle | 'name_taken' | undefined> {
  return writeDatabase(env, async (write) => {
    try {
      const update = write.database
        .update(savedStyle)
        .set({ ...change, updatedAt: sql`greatest(${nowMs}, ${savedStyle.updatedAt} + 1)` })
        .where(ofAccount(caller.account, id))
        .returning(SHOWN);
      const [changed] = await withStanding(write, caller, update);
      return changed;
    } catch (error) {
      if (brokenUnique(error) === undefined) throw error;
      return 'name_taken';
    }
  });
}

/**
 * Whether the style existed. A retry after a lost response returns false; the style is deleted
 * either way.
 */
export async function deleteStyle(env: Env, caller: Caller, id: string): Promise<boolean> {
  const gone = await writeDatabase(env, (write) => {
    const removed = write.database.delete(savedStyle).where(ofAccount(caller.account, id));
    return withStanding(write, caller, removed.returning({ id: savedStyle.id }));
  });
  return gone.length > 0;
}
