// POST /api/portal/v1/admin/erasure and …/count

import {
  type Erased,
  erasedSchema,
  personSchema,
  tracesSchema,
} from '../../../shared/contract/erasure.ts';
import { opaqueTokenKey } from '../../../shared/contract/opaque-token.ts';
import { savedStylesKey } from '../../../shared/contract/saved-style.ts';
import { countPerson, erasePerson, type Person } from '../db/erasure-store.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { publishRevocations, unpublish } from '../portal/publish.ts';
import { ApiError } from '../runtime/errors.ts';
import { badBody, PORTAL_PATH, portalMember, readPortalBody } from './portal-auth.ts';
import { NO_STORE } from './portal-tokens.ts';

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
  tag: 'Portal',
  access: { kind: 'session', role: 'administrator' },
  method: 'post',
  body: {
    schema: personSchema,
    description: 'An account, a subject of it, or an end user',
    example: { account: 'acme', subject: 'jane-4711' },
  },
} as const;

export const portalErasure: readonly Endpoint[] = [
  {
    ...common,
    path: `${ERASURE_PATH}/count`,
    id: 'portalCountPerson',
    summary: 'Counts the data of a person.',
    description: 'Nothing is changed.',
    answers: {
      200: jsonAnswer('Numbers of rows', tracesSchema, TRACES),
      400: badBody,
      409: { description: 'The person is you', error: 'erasure_conflict' },
    },
    handle: async (c) => {
      const { traces } = await countPerson(c.env, portalMember(c).sessionId, await personOf(c));
      return c.json(traces, 200, NO_STORE);
    },
  },
  {
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
      400: badBody,
      404: {
        description: 'There is no such account and no data of it',
        error: 'account_not_found',
      },
      409: {
        description: `The person is you, or has more than ${MAX_KEYS} tokens`,
        error: 'erasure_conflict',
      },
    },
    handle: async (c) => c.json(await eraseOf(c), 200, NO_STORE),
  },
];

/** @throws ApiError 400 */
async function personOf(c: AppContext): Promise<Person> {
  const { account, subject, externalUserId } = await readPortalBody(c, personSchema);
  return { account, subject: subject ?? null, externalUserId: externalUserId ?? null };
}

async function eraseOf(c: AppContext): Promise<Erased> {
  const person = await personOf(c);
  const { sessionId } = portalMember(c);
  const { traces, hashes } = await countPerson(c.env, sessionId, person);
  if (hashes.length > MAX_KEYS) {
    throw new ApiError(
      'erasure_conflict',
      `The person has more than ${MAX_KEYS} tokens. Use npm run tokens -- erase.`,
    );
  }
  // First at the edge: afterwards, the database does not know whose the tokens were. If this fails, the
  // request can be repeated.
  const isWholeAccount = person.subject === null && person.externalUserId === null;
  await unpublish(c.env, [
    ...hashes.map(opaqueTokenKey),
    ...(isWholeAccount ? [savedStylesKey(person.account)] : []),
  ]);
  await erasePerson(c.env, sessionId, person);
  await publishRevocations(c.env);
  return { before: traces, after: (await countPerson(c.env, sessionId, person)).traces };
}
