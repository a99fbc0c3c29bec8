// A person's data, erased: nothing that names them stays, and what others count on does. Reports keep
// their id, place and votes, and lose their text and their owner; tracks go, as they begin and end
// where a person lives; the rest gets names that belong to no one.
//
// Every table is in here, or in the list of those without a person in the test of erasure.

import { type SQL, sql } from 'drizzle-orm';
import { lockedAccount } from './accounts.ts';
import {
  type Administrator,
  DATABASE_NOW_MS,
  holdWrites,
  type Registry,
  type RegistryChange,
  recorded,
} from './registry.ts';

/** Everybody of an account, one subject, one end user of its servers, or that user by one subject. */
export interface Person {
  readonly account: string;
  readonly subject?: string | undefined;
  readonly externalUser?: string | undefined;
}

/** Rows by what they are. */
export interface Traces {
  readonly reports: number;
  readonly votes: number;
  readonly tracks: number;
  readonly tokens: number;
  readonly styles: number;
}

/** What there is of a person. */
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
  };
}

/** Erase it. What was on its way from the person's tokens is waited for. @returns what there was */
export function erase(administrator: Administrator, person: Person): Promise<Traces> {
  return recorded(administrator, async (tx, writeDown) => {
    await holdWrites(tx, person.account);
    const traces = await tracesOf(tx, person);
    // Tokens signed with a shared secret may name an account that was never entered.
    const isTrace = Object.values(traces).some((number) => number > 0);
    if (!isTrace) await lockedAccount(tx, person.account);
    await eraseReports(tx, person);
    await eraseTracks(tx, person);
    if (speaksForItself(person)) await eraseTokens(tx, person);
    if (isWholeAccount(person)) await eraseAccount(tx, person.account);
    // Counts alone: who it was is what has just been erased.
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
  // A server that sends reports for its users stays their owner.
  const owner = speaksForItself(person) ? UNNAMED : sql`owner_subject`;
  await tx.execute(sql`
    UPDATE user_report SET owner_subject = ${owner}, external_user_id = NULL, properties = '{}',
      erased_at = ${DATABASE_NOW_MS}
    WHERE ${owned(person, sql`owner_subject`)}`);
  // Counts stay what they are: the vote remains, of an unnamed person.
  const voter = speaksForItself(person)
    ? sql`subject = ${UNNAMED}, external_user_id = ''`
    : sql`external_user_id = ${UNNAMED}`;
  await tx.execute(sql`UPDATE report_vote SET ${voter} WHERE ${owned(person, sql`subject`)}`);
}

async function eraseTracks(tx: RegistryChange, person: Person): Promise<void> {
  // An answer that is kept for a repeated request names the tracks it made or went onto.
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

async function eraseAccount(tx: RegistryChange, id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM saved_style WHERE account_id = ${id}`);
  await tx.execute(sql`
    INSERT INTO account (id, plan, erased_at, suspended_at)
      VALUES (${id}, 'standard', ${DATABASE_NOW_MS}, ${DATABASE_NOW_MS})
    ON CONFLICT (id) DO UPDATE SET note = NULL, erased_at = excluded.erased_at,
      suspended_at = coalesce(account.suspended_at, excluded.suspended_at)`);
}

/** A name of its own for every row, so that what one person left is not held together by it. */
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

const aboutsOf = (person: Person): SQL =>
  sql`SELECT id FROM track_about WHERE ${owned(person, sql`subject`)}`;
