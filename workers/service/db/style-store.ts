// Saved styles in the database, always within one account.

import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import {
  MAX_SAVED_STYLES,
  type SavedStyle,
  type SavedStyleInput,
  type StyleVersion,
} from '../../../shared/contract/saved-style.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { readDatabase, writeDatabase } from './ask-database.ts';
import { callPortal, resultsOf } from './call-portal.ts';
import type { Database } from './client.ts';
import { type Creation, type CreationRow, creationOf, type RequestIdentity } from './creation.ts';
import { brokenUnique } from './faults.ts';
import { savedStyle, savedStyleVersion } from './schema.ts';
import { withStanding } from './standing.ts';

const { accountId, ...SHOWN } = getTableColumns(savedStyle);

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

/** The earlier versions of a style, newest first. */
export const listVersions = (env: Env, account: string, id: string): Promise<StyleVersion[]> =>
  readDatabase(env, (database) => {
    const { savedAt, baseTheme, parameters } = savedStyleVersion;
    return database
      .select({ savedAt, baseTheme, parameters })
      .from(savedStyleVersion)
      .innerJoin(savedStyle, eq(savedStyle.id, savedStyleVersion.styleId))
      .where(ofAccount(account, id))
      .orderBy(desc(savedAt));
  });

/** Who writes: a token, or a user of the portal, whose writes are recorded in the audit trail. */
type StyleWriter = Caller | { readonly sessionId: string; readonly account: string };

type Refused = 'name_taken' | 'too_many';

/** @param id a new id, the same in every attempt */
export async function createStyle(
  env: Env,
  writer: StyleWriter,
  { key, bodySha256 }: RequestIdentity,
  { id, createdAt, ...style }: Omit<SavedStyle, 'updatedAt'>,
): Promise<Creation<Refused>> {
  const [name, ...credentials] =
    'sessionId' in writer
      ? (['portal_create_style', writer.sessionId] as const)
      : ([
          'create_style',
          writer.tokenId,
          writer.account,
          writer.generation,
          writer.subject,
        ] as const);
  const [row] = await resultsOf<CreationRow<Refused>>(env, name, [
    ...[createdAt, ...credentials, key, bodySha256, id, style.name, style.baseTheme],
    JSON.stringify(style.parameters),
    MAX_SAVED_STYLES,
  ]);
  return creationOf(row!);
}

/** Sets the given fields of a style. */
export async function changeStyle(
  env: Env,
  writer: StyleWriter,
  id: string,
  change: Partial<SavedStyleInput>,
  nowMs: number,
): Promise<SavedStyle | 'name_taken' | undefined> {
  try {
    return await ('sessionId' in writer
      ? changeByUser(env, writer.sessionId, id, change, nowMs)
      : changeByToken(env, writer, id, change, nowMs));
  } catch (error) {
    if (brokenUnique(error) === undefined) throw error;
    return 'name_taken';
  }
}

async function changeByToken(
  env: Env,
  caller: Caller,
  id: string,
  change: Partial<SavedStyleInput>,
  nowMs: number,
): Promise<SavedStyle | undefined> {
  const [changed] = await writeDatabase(env, (write) => {
    const update = write.database
      .update(savedStyle)
      .set({ ...change, updatedAt: sql`greatest(${nowMs}, ${savedStyle.updatedAt} + 1)` })
      .where(ofAccount(caller.account, id))
      .returning(SHOWN);
    return withStanding(write, caller, update);
  });
  return changed;
}

async function changeByUser(
  env: Env,
  session: string,
  style: string,
  { name, baseTheme, parameters }: Partial<SavedStyleInput>,
  nowMs: number,
): Promise<SavedStyle | undefined> {
  const [row] = await resultsOf<SavedStyle & { accountId: string }>(env, 'portal_change_style', [
    ...[nowMs, session, style, name, baseTheme],
    parameters === undefined ? null : JSON.stringify(parameters),
  ]);
  if (row === undefined) return undefined;
  const { accountId: _, ...changed } = row;
  return changed;
}

/**
 * Whether the style existed. A retry after a lost response returns false; the style is deleted
 * either way.
 */
export async function deleteStyle(env: Env, writer: StyleWriter, id: string): Promise<boolean> {
  if ('sessionId' in writer) {
    const sent = [writer.sessionId, id];
    return (await callPortal(env, 'SELECT portal_delete_style($1, $2)', sent)).length > 0;
  }
  const gone = await writeDatabase(env, (write) => {
    const removed = write.database.delete(savedStyle).where(ofAccount(writer.account, id));
    return withStanding(write, writer, removed.returning({ id: savedStyle.id }));
  });
  return gone.length > 0;
}
