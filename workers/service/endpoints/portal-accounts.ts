// GET and POST /api/portal/v1/admin/accounts; POST /api/portal/v1/admin/accounts/{id}

import * as z from 'zod';
import {
  accountChangeSchema,
  accountSchema,
  MAX_ACCOUNTS_PER_PAGE,
  newAccountSchema,
  type PortalAccount,
} from '../../../shared/contract/accounts.ts';
import { ownerInvitationSchema } from '../../../shared/contract/team.ts';
import { changeAccount, createAccount, inviteOwner, listAccounts } from '../db/account-store.ts';
import { idParameter, jsonAnswer, type Parameter } from '../http/endpoint.ts';
import { publishRevocations } from '../portal/publish.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { afterWrite } from '../runtime/portal-errors.ts';
import { checked, limitParameter, queryText } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { INVITED, invited, linkAnswer } from './portal-team.ts';

const ACCOUNTS_PATH = `${PORTAL_PATH}/admin/accounts`;

const ACCOUNT: PortalAccount = {
  id: 'acme',
  plan: 'standard',
  pilot: false,
  admin: false,
  createdAt: 1_764_547_200_000,
  suspendedAt: null,
  erasedAt: null,
  users: 2,
  tokens: 3,
  requests30Days: 12_800,
};
const accountAnswer = jsonAnswer('The account', accountSchema, ACCOUNT);
const conflict = {
  description:
    'The id is in use, the account was erased, or the request would suspend your own account',
  error: 'account_conflict',
} as const;

const ACCOUNT_PAGE = {
  limit: limitParameter(MAX_ACCOUNTS_PER_PAGE),
  search: checked('Beginning of the id', queryText(64)),
  after: checked('Id of the last account of the previous page', z.string().max(64)),
} as const;
const ACCOUNT_ID_PARAMETER: Parameter = idParameter('Id of an account', ACCOUNT.id);

export const portalAccounts = [
  portalEndpoint({
    access: 'administrator',
    method: 'get',
    path: ACCOUNTS_PATH,
    id: 'portalListAccounts',
    summary: 'Lists the accounts by id.',
    description: 'For the next page, set `after` to the `id` of the last account.',
    query: ACCOUNT_PAGE,
    answers: { 200: jsonAnswer('A page of accounts', z.array(accountSchema), [ACCOUNT]) },
    handle: ({ env, sessionId, query }) => listAccounts(env, sessionId, query),
  }),
  portalEndpoint({
    access: 'administrator',
    method: 'post',
    path: ACCOUNTS_PATH,
    id: 'portalCreateAccount',
    summary: 'Creates an account.',
    description:
      'Invite its first owner next. If you repeat the request with the same rights, it succeeds again.',
    body: {
      schema: newAccountSchema,
      description: 'Id and rights of the account',
      example: { id: 'acme', plan: 'standard' },
    },
    answers: { 201: accountAnswer, 409: conflict },
    handle: async ({ env, sessionId, body: { id, plan, pilot, admin } }) => {
      const rights = { plan: plan ?? undefined, pilot: pilot ?? false, admin: admin ?? false };
      await createAccount(env, sessionId, id, rights);
      return afterWrite(accountOf(env, sessionId, id));
    },
  }),
  portalEndpoint({
    access: 'administrator',
    method: 'post',
    path: `${ACCOUNTS_PATH}/{id}`,
    id: 'portalUpdateAccount',
    summary: 'Changes the rights of an account, or suspends and resumes it.',
    description:
      'New rights apply to new tokens. A suspension stops writes at once and reads within two minutes.',
    pathParameter: ACCOUNT_ID_PARAMETER,
    body: {
      schema: accountChangeSchema,
      description: 'The fields to change',
      example: { plan: 'enterprise', pilot: true },
    },
    answers: {
      200: accountAnswer,
      404: { description: 'There is no account with this id', error: 'account_not_found' },
      409: conflict,
    },
    handle: async ({ env, sessionId, id, body: { plan, pilot, admin, suspended } }) => {
      await changeAccount(env, sessionId, id, {
        plan: plan ?? undefined,
        pilot: pilot ?? undefined,
        admin: admin ?? undefined,
        suspended: suspended ?? undefined,
      });
      if (suspended != null) await afterWrite(publishRevocations(env));
      return afterWrite(accountOf(env, sessionId, id));
    },
  }),
  portalEndpoint({
    access: 'administrator',
    method: 'post',
    path: `${ACCOUNTS_PATH}/{id}/owner`,
    id: 'portalInviteOwner',
    summary: 'Creates the first owner of an account, with a sign-in link.',
    description: `The owner invites the other users. ${INVITED}`,
    pathParameter: ACCOUNT_ID_PARAMETER,
    body: {
      schema: ownerInvitationSchema,
      description: 'Email address',
      example: { username: 'owner@example.com' },
    },
    answers: {
      201: linkAnswer,
      404: { description: 'There is no account with this id', error: 'account_not_found' },
      409: {
        description:
          'The account has an owner or was erased, or a user with this address exists (`team_conflict`)',
        error: 'account_conflict',
      },
    },
    handle: async ({ c, env, sessionId, id: account, body: { username: email } }) => {
      const id = crypto.randomUUID();
      await inviteOwner(env, sessionId, account, { id, email });
      return invited(c, sessionId, id);
    },
  }),
];

/** @throws ApiError 404 */
async function accountOf(env: Env, sessionId: string, id: string): Promise<PortalAccount> {
  const [found] = await listAccounts(env, sessionId, { id, limit: 1 });
  if (found === undefined) throw new ApiError('account_not_found');
  return found;
}
