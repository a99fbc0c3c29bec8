// POST /api/portal/v1/admin/erasure and …/count

import type * as z from 'zod';
import {
  type Erased,
  erasedSchema,
  personSchema,
  tracesSchema,
} from '../../../shared/contract/erasure.ts';
import { opaqueTokenKey } from '../../../shared/contract/opaque-token.ts';
import { savedStylesKey } from '../../../shared/contract/saved-style.ts';
import { countPerson, erasePerson, type Person } from '../db/erasure-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { publishRevocations, unpublish } from '../portal/publish.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { afterWrite } from '../runtime/portal-errors.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const ERASURE_PATH = `${PORTAL_PATH}/admin/erasure`;
/** A request can delete this many entries of the edge store. */
const MAX_KEYS = 500;

const TRACES = {
  reports: 3,
  votes: 12,
  tracks: 5,
  tokens: 1,
  styles: 0,
  blocks: 0,
  users: 0,
} as const;
const NO_TRACES = {
  reports: 0,
  votes: 0,
  tracks: 0,
  tokens: 0,
  styles: 0,
  blocks: 0,
  users: 0,
} as const;

const common = {
  access: 'administrator',
  method: 'post',
  body: {
    schema: personSchema,
    description: 'An account, a subject of it, or an end user',
    example: { account: 'acme', subject: 'jane-4711' },
  },
} as const;

export const portalErasure = [
  portalEndpoint({
    ...common,
    path: `${ERASURE_PATH}/count`,
    id: 'portalCountPerson',
    summary: 'Counts the data of a person.',
    description: 'Nothing is changed.',
    answers: {
      200: jsonAnswer('Numbers of rows', tracesSchema, TRACES),
      409: { description: 'The person is you', error: 'erasure_conflict' },
    },
    handle: async ({ env, sessionId, body }) =>
      (await countPerson(env, sessionId, personOf(body))).traces,
  }),
  portalEndpoint({
    ...common,
    path: ERASURE_PATH,
    id: 'portalErasePerson',
    summary: 'Erases the data of a person permanently.',
    description:
      'The same as `npm run tokens -- erase`. Reports keep their place and votes, and lose their text and owner. Tracks are deleted, tokens end, and users can no longer sign in. If the whole account is erased, its saved styles are deleted and its name is kept. The audit trail contains how much was erased, not whose data. Backups keep the data until they expire. If the request fails, repeat it.',
    answers: {
      200: jsonAnswer('The data before and after the erasure', erasedSchema, {
        before: TRACES,
        after: NO_TRACES,
      }),
      404: {
        description: 'There is no such account and no data of it',
        error: 'account_not_found',
      },
      409: {
        description: `The person is you, or has more than ${MAX_KEYS} tokens`,
        error: 'erasure_conflict',
      },
    },
    handle: ({ env, sessionId, body }) => erase(env, sessionId, personOf(body)),
  }),
];

const personOf = ({ account, subject, externalUserId }: z.output<typeof personSchema>): Person => ({
  account,
  subject: subject ?? null,
  externalUserId: externalUserId ?? null,
});

async function erase(env: Env, sessionId: string, person: Person): Promise<Erased> {
  const { traces, hashes } = await countPerson(env, sessionId, person);
  if (hashes.length > MAX_KEYS) {
    throw new ApiError(
      'erasure_conflict',
      `The person has more than ${MAX_KEYS} tokens. Ask the operator to run npm run tokens -- erase.`,
    );
  }
  // First at the edge: afterwards, the database does not know whose the tokens were. If this fails, the
  // request can be repeated.
  await unpublish(env, hashes.map(opaqueTokenKey));
  const after = await afterWrite(eraseRows(env, sessionId, person));
  return { before: traces, after };
}

/** @returns what is left */
async function eraseRows(env: Env, sessionId: string, person: Person): Promise<Erased['after']> {
  await erasePerson(env, sessionId, person);
  const isWholeAccount = person.subject === null && person.externalUserId === null;
  // Until then, a request of the account would write the copy again.
  if (isWholeAccount) await unpublish(env, [savedStylesKey(person.account)]);
  await publishRevocations(env);
  return (await countPerson(env, sessionId, person)).traces;
}
