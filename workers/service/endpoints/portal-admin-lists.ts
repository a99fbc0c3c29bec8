// GET /api/portal/v1/admin/users, …/apiTokens and …/usage: lists of all accounts

import * as z from 'zod';
import {
  MAX_TOKENS_PER_PAGE,
  portalTokenSchema,
  usageSchema,
} from '../../../shared/contract/portal.ts';
import { MAX_USERS_PER_PAGE, teamMemberSchema } from '../../../shared/contract/team.ts';
import { listTokens, usageByDay } from '../db/portal-store.ts';
import { listMembers } from '../db/team-store.ts';
import { type Endpoint, jsonAnswer, queryParameter } from '../http/endpoint.ts';
import { badQuery, DEFAULT_PAGE, limitParameter, queryText, valuesOfQuery } from './page-query.ts';
import { PORTAL_PATH, portalMember } from './portal-auth.ts';
import { MEMBER } from './portal-team.ts';
import { firstDay, NO_STORE, TOKEN, USAGE_DAYS, USAGE_EXAMPLE } from './portal-tokens.ts';

const ADMIN_PATH = `${PORTAL_PATH}/admin`;

const ACCOUNT = queryParameter(
  'account',
  'Id of an account; without it, all accounts',
  queryText(64),
);

const USERS = [
  limitParameter(MAX_USERS_PER_PAGE),
  ACCOUNT,
  queryParameter('address', 'Beginning of the email address', queryText(254)),
  queryParameter('after', 'Email address of the last user of the previous page', queryText(254)),
] as const;
const TOKENS = [
  limitParameter(MAX_TOKENS_PER_PAGE),
  ACCOUNT,
  queryParameter('search', 'Beginning of the name, or the id', queryText(128)),
  queryParameter('before', 'Id of the last token of the previous page', queryText(64)),
  queryParameter(
    'ended',
    '`true` to include tokens that were revoked or have expired',
    z.enum(['true', 'false']).default('false'),
  ),
] as const;

const common = {
  tag: 'Portal',
  access: { kind: 'session', role: 'administrator' },
  method: 'get',
  isStrict: true,
} as const;
const answers = (description: string, schema: z.ZodType, example: unknown) => ({
  200: jsonAnswer(description, schema, example),
  400: badQuery,
});

export const portalAdminLists: readonly Endpoint[] = [
  {
    ...common,
    path: `${ADMIN_PATH}/users`,
    id: 'portalListUsers',
    summary: 'Lists the users of all accounts by email address.',
    description:
      'For the next page, set `after` to the email address of the last user. An administrator changes users of any account at `/team/{id}`.',
    parameters: USERS,
    answers: answers('A page of users', z.array(teamMemberSchema), [MEMBER]),
    handle: async (c) => {
      const { limit: most, after, ...search } = valuesOfQuery(c, USERS);
      const page = { limit: Number(most ?? DEFAULT_PAGE), after, search };
      return c.json(await listMembers(c.env, portalMember(c).sessionId, page), 200, NO_STORE);
    },
  },
  {
    ...common,
    path: `${ADMIN_PATH}/apiTokens`,
    id: 'portalListAllTokens',
    summary: 'Lists the API tokens of all accounts, newest first.',
    description:
      'For the next page, set `before` to the `id` of the last token. An administrator revokes tokens of any account at `/apiTokens/{id}`.',
    parameters: TOKENS,
    answers: answers('A page of tokens', z.array(portalTokenSchema), [TOKEN]),
    handle: async (c) => {
      const { limit: most, before, ended, account, search } = valuesOfQuery(c, TOKENS);
      const page = { limit: Number(most ?? DEFAULT_PAGE), before, withEnded: ended === 'true' };
      const query = { ...page, search: { account, text: search } };
      return c.json(await listTokens(c.env, portalMember(c).sessionId, query), 200, NO_STORE);
    },
  },
  {
    ...common,
    path: `${ADMIN_PATH}/usage`,
    id: 'portalAdminUsage',
    summary: `Returns the number of requests by day, of one account or of all accounts, for the last ${USAGE_DAYS} days.`,
    description: 'Days without requests are omitted. A request is counted within a minute.',
    parameters: [ACCOUNT],
    answers: answers('Requests by day', usageSchema, {
      days: [{ ...USAGE_EXAMPLE, requests: 128_000, kinds: { Tiles: 120_000, Routing: 8_000 } }],
    }),
    handle: async (c) => {
      const of = valuesOfQuery(c, [ACCOUNT]);
      const days = await usageByDay(c.env, portalMember(c).sessionId, firstDay(), of);
      return c.json({ days }, 200, NO_STORE);
    },
  },
];
