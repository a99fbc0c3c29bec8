// The functions of the database by which an administrator erases the data of a person.

import type { Traces } from '../../../shared/contract/erasure.ts';
import type { Env } from '../runtime/env.ts';
import { resultsOf, runFunction } from './call-portal.ts';

/** A whole account, one subject, one end user of the account, or one end user of one subject. */
export interface Person {
  readonly account: string;
  readonly subject: string | null;
  readonly externalUserId: string | null;
}

/** An account may have many rows. Counting or erasing them is one transaction. */
const ERASING = { limitMs: 20_000 } as const;

interface Counted {
  readonly traces: Traces;
  /** Hashes of the opaque tokens of the person. */
  readonly hashes: readonly string[];
}

/** @throws ApiError for a broken rule, 503 */
export async function countPerson(env: Env, session: string, person: Person): Promise<Counted> {
  const values = valuesOf(session, person);
  const [counted] = await resultsOf<Counted>(
    env,
    'portal_count_person',
    values,
    'to_jsonb',
    ERASING,
  );
  return counted!;
}

/** @throws ApiError 404 if there is no such account and no data of it, 409, 503 */
export const erasePerson = (env: Env, session: string, person: Person): Promise<void> =>
  runFunction(env, 'portal_erase_person', valuesOf(session, person), ERASING);

const valuesOf = (session: string, { account, subject, externalUserId }: Person) => [
  session,
  account,
  subject,
  externalUserId,
];
