// Erases a person's data, by the functions of the database that the portal also calls.
//
// A test requires that every table is handled there or listed as a table without personal data.

import { type SQL, sql } from 'drizzle-orm';
import type { Traces } from '../../../shared/contract/erasure.ts';
import { opaqueTokenKey } from '../../../shared/contract/opaque-token.ts';
import { accountFault } from './accounts.ts';
import type { Administrator, Registry } from './registry.ts';

/** A whole account, one subject, one end user of the account, or one end user of one subject. */
export interface Person {
  readonly account: string;
  readonly subject?: string | undefined;
  readonly externalUser?: string | undefined;
}

/** Count the data of a person. */
export const tracesOf = (registry: Registry, person: Person): Promise<Traces> =>
  resultOf(registry, sql`person_traces(${namesOf(person)})`);

/** Keys in the edge store of the person's opaque tokens, whose claims name the subject. */
export async function opaqueKeysOf(registry: Registry, person: Person): Promise<string[]> {
  const hashes = await resultOf<string[]>(registry, sql`person_token_hashes(${namesOf(person)})`);
  return hashes.map(opaqueTokenKey);
}

/** Erase the data, after writes in progress have ended. @returns the numbers of erased rows */
export const erase = ({ registry, actor }: Administrator, person: Person): Promise<Traces> =>
  resultOf<Traces>(registry, sql`erase_person(${actor}, ${namesOf(person)})`).catch(
    accountFault(person.account),
  );

const namesOf = ({ account, subject, externalUser }: Person): SQL =>
  sql`${account}, ${subject ?? null}, ${externalUser ?? null}`;

async function resultOf<T>(registry: Registry, expression: SQL): Promise<T> {
  const { rows } = await registry.execute<{ value: T }>(sql`SELECT ${expression} AS value`);
  return rows[0]!.value;
}
