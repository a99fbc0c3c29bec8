// Erases a person's data. Reports keep their id, place and votes, and lose their text and owner. Tracks are
// deleted, because they begin and end where a person lives. Other rows get random names.
//
// A test requires that every table is handled here or listed as a table without personal data.

import { type SQL, sql } from 'drizzle-orm';
import { lockedAccount } from './accounts.ts';
import { opaqueKeys } from './opaque-tokens.ts';
import {
  type Administrator,
  DATABASE_NOW_MS,
  holdWrites,
  type Registry,
  type RegistryChange,
  recorded,
} from './registry.ts';

/** A whole account, one subject, one end user of the account, or one end user of one subject. */
export interface Person {
  readonly account: string;
  readonly subject?: string | undefined;
  readonly externalUser?: string | undefined;
}

/** Numbers of rows. */
export interface Traces {
  readonly reports: number;
  readonly votes: number;
  readonly tracks: number;
  readonly tokens: number;
  readonly styles: number;
  /** Of reports and votes. */
  readonly blocks: number;
}

/** Count the data of a person. */
export async function tracesOf(
  registry: Registry | RegistryChange,
  person: Person,
): Promise<Traces> {
  const count = async (rows: SQL) => {
    const { rows: found } = await registry.execute<{ number: number }>(
      sql`SELECT count(*)::int AS number FROM ${rows}`,
    );
    return found[0]?.number ?? 0;
  };
  return {
    reports: await count(sql`user_report WHERE ${owned(person, sql`owner_subject`)}`),
    votes: await count(sql`report_vote WHERE ${owned(person, sql`subject`)}`),
    tracks: await count(sql`track WHERE ${sql`about_id IN (${aboutsOf(person)})`}`),
    tokens: speaksForItself(person)
      ? await count(sql`api_token WHERE ${bySubject(person, sql`subject`)}`)
      : 0,
    styles: isWholeAccount(person)
      ? await count(sql`saved_style WHERE account_id = ${person.account}`)
      : 0,
    blocks: await count(blocksOf(person)),
  };
}

/** Keys in the edge store of the person's opaque tokens, whose claims name the subject. */
export const opaqueKeysOf = (registry: Registry, person: Person): Promise<string[]> =>
  opaqueKeys(registry, speaksForItself(person) ? bySubject(person, sql`subject`) : sql`false`);

/** Erase the data, after writes in progress have ended. @returns the numbers of erased rows */
export function erase(administrator: Administrator, person: Person): Promise<Traces> {
  return recorded(administrator, async (tx, writeDown) => {
    await holdWrites(tx, person.account);
    const traces = await tracesOf(tx, person);
    // Tokens signed with a shared secret may have an account that is not recorded.
    const isTrace = Object.values(traces).some((number) => number > 0);
    if (!isTrace) await lockedAccount(tx, person.account);
    await eraseReports(tx, person);
    await eraseTracks(tx, person);
    await tx.execute(sql`DELETE FROM ${blocksOf(person)}`);
    if (speaksForItself(person)) {
      await eraseTokens(tx, person);
      await eraseUsers(tx, person);
    }
    if (isWholeAccount(person)) await eraseAccount(tx, person.account);
    // Only counts, so that the audit trail does not identify the person.
    await writeDown({ act: 'erase', accountId: person.account, detail: { ...traces } });
    return traces;
  });
}

async function eraseReports(tx: RegistryChange, person: Person): Promise<void> {
  await tx.execute(sql`
    DELETE FROM create_key WHERE ${bySubject(person, sql`subject`)} AND (
      ${speaksForItself(person)}::boolean
      OR object_id IN (SELECT id FROM user_report WHERE ${owned(person, sql`owner_subject`)})
    )`);
  // If only an end user is erased, the server stays the owner of the reports.
  const owner = speaksForItself(person) ? UNNAMED : sql`owner_subject`;
  await tx.execute(sql`
    UPDATE user_report SET owner_subject = ${owner}, external_user_id = NULL, properties = '{}',
      erased_at = ${DATABASE_NOW_MS}
    WHERE ${owned(person, sql`owner_subject`)}`);
  // Votes are kept under a random name, so that counts do not change.
  const voter = speaksForItself(person)
    ? sql`subject = ${UNNAMED}, external_user_id = ''`
    : sql`external_user_id = ${UNNAMED}`;
  await tx.execute(sql`UPDATE report_vote SET ${voter} WHERE ${owned(person, sql`subject`)}`);
}

async function eraseTracks(tx: RegistryChange, person: Person): Promise<void> {
  // Stored responses for repeated requests contain the ids of tracks.
  await tx.execute(sql`
    DELETE FROM ingest_key WHERE ${bySubject(person, sql`subject`)} AND (
      ${speaksForItself(person)}::boolean
      OR ids && ARRAY(SELECT id FROM track WHERE about_id IN (${aboutsOf(person)}))
      OR (merged::json ->> 'id')::uuid IN
        (SELECT id FROM track WHERE about_id IN (${aboutsOf(person)}))
    )`);
  const { rows } = await tx.execute<{ id: string }>(aboutsOf(person));
  const abouts = sql.param(rows.map(({ id }) => id));
  await tx.execute(sql`DELETE FROM track WHERE about_id = ANY (${abouts}::uuid[])`);
  await tx.execute(sql`DELETE FROM track_about WHERE id = ANY (${abouts}::uuid[])`);
}

async function eraseTokens(tx: RegistryChange, person: Person): Promise<void> {
  await tx.execute(sql`
    UPDATE api_token SET subject = ${UNNAMED}, note = NULL, origins = '{}',
      revoked_at = least(revoked_at, ${DATABASE_NOW_MS})
    WHERE ${bySubject(person, sql`subject`)}`);
}

/** Sessions and passwords are deleted with their user. Sign-in links contain the address. */
async function eraseUsers(tx: RegistryChange, person: Person): Promise<void> {
  const users = sql`portal_user WHERE ${bySubject(person, sql`'member:' || id`)}`;
  await tx.execute(sql`
    DELETE FROM portal_verification WHERE value::json ->> 'email' IN (SELECT email FROM ${users})`);
  await tx.execute(sql`DELETE FROM ${users}`);
}

async function eraseAccount(tx: RegistryChange, id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM saved_style WHERE account_id = ${id}`);

  await tx.execute(sql`
    INSERT INTO account (id, plan, erased_at, suspended_at)
      VALUES (${id}, 'standard', ${DATABASE_NOW_MS}, ${DATABASE_NOW_MS})
    ON CONFLICT (id) DO UPDATE SET note = NULL, erased_at = excluded.erased_at,
      suspended_at = coalesce(account.suspended_at, excluded.suspended_at)`);
}

/** A different random name for every row, so that rows of a person cannot be linked. */
const UNNAMED = sql`'erased-' || gen_random_uuid()`;

const speaksForItself = ({ externalUser }: Person): boolean => externalUser === undefined;
export const isWholeAccount = ({ subject, externalUser }: Person): boolean =>
  subject === undefined && externalUser === undefined;

const bySubject = ({ account, subject }: Person, column: SQL): SQL =>
  subject === undefined
    ? sql`account_id = ${account}`
    : sql`(account_id = ${account} AND ${column} = ${subject})`;

const owned = (person: Person, subjectColumn: SQL): SQL =>
  person.externalUser === undefined
    ? bySubject(person, subjectColumn)
    : sql`(${bySubject(person, subjectColumn)} AND external_user_id = ${person.externalUser})`;

/** Blocks contain the name of the person, so that they end, too. */
function blocksOf(person: Person): SQL {
  const { account, subject = null, externalUser = null } = person;
  const isTheirs =
    externalUser === null
      ? sql`CASE kind WHEN 'user' THEN 'user:' || name ELSE name END = ${subject}`
      : sql`kind = 'user' AND name = ${externalUser}`;
  return sql`report_block WHERE account_id = ${account}
    AND (${isWholeAccount(person)}::boolean OR ${isTheirs})`;
}

const aboutsOf = (person: Person): SQL =>
  sql`SELECT id FROM track_about WHERE ${owned(person, sql`subject`)}`;
