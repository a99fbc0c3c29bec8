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
import { jsonAnswer } from '../http/endpoint.ts';
import { checked, limitParameter, queryText } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { MEMBER } from './portal-team.ts';
import { ENDED, firstDay, TOKEN, USAGE_DAYS, USAGE_EXAMPLE } from './portal-tokens.ts';

const ADMIN_PATH = `${PORTAL_PATH}/admin`;

const ACCOUNT = checked('Id of an account; without it, all accounts', queryText(64));

const USERS = {
  limit: limitParameter(MAX_USERS_PER_PAGE),
  account: ACCOUNT,
  address: checked('Beginning of the email address', queryText(254)),
  after: checked('Email address of the last user of the previous page', queryText(254)),
} as const;
const TOKENS = {
  limit: limitParameter(MAX_TOKENS_PER_PAGE),
  account: ACCOUNT,
  search: checked('Beginning of the name, or the id', queryText(128)),
  before: checked('Id of the last token of the previous page', queryText(64)),
  ended: ENDED,
} as const;

const common = { access: 'administrator', method: 'get' } as const;

export const portalAdminLists = [
  portalEndpoint({
    ...common,
    path: `${ADMIN_PATH}/users`,
    id: 'portalListUsers',
    summary: 'Lists the users of all accounts by email address.',
    description:
      'For the next page, set `after` to the email address of the last user. An administrator changes users of any account at `/team/{id}`.',
    query: USERS,
    answers: { 200: jsonAnswer('A page of users', z.array(teamMemberSchema), [MEMBER]) },
    handle: ({ env, sessionId, query: { limit, after, ...search } }) =>
      listMembers(env, sessionId, { limit, after, search }),
  }),
  portalEndpoint({
    ...common,
    path: `${ADMIN_PATH}/apiTokens`,
    id: 'portalListAllTokens',
    summary: 'Lists the API tokens of all accounts, newest first.',
    description:
      'For the next page, set `before` to the `id` of the last token. An administrator revokes tokens of any account at `/apiTokens/{id}`.',
    query: TOKENS,
    answers: { 200: jsonAnswer('A page of tokens', z.array(portalTokenSchema), [TOKEN]) },
    handle: ({ env, sessionId, query: { limit, before, ended, account, search } }) => {
      const page = { limit, before, withEnded: ended === 'true' };
      return listTokens(env, sessionId, { ...page, search: { account, text: search } });
    },
  }),
  portalEndpoint({
    ...common,
    path: `${ADMIN_PATH}/usage`,
    id: 'portalAdminUsage',
    summary: `Returns the number of requests by day, of one account or of all accounts, for the last ${USAGE_DAYS} days.`,
    description: 'Days without requests are omitted. A request is counted within a minute.',
    query: { account: ACCOUNT },
    answers: {
      200: jsonAnswer('Requests by day', usageSchema, {
        days: [{ ...USAGE_EXAMPLE, requests: 128_000, kinds: { Tiles: 120_000, Routing: 8_000 } }],
      }),
    },
    handle: async ({ env, sessionId, query }) => ({
      days: await usageByDay(env, sessionId, firstDay(), query),
    }),
  }),
];
