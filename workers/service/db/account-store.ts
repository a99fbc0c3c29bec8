// The functions of the database by which an administrator manages the accounts of the service.

import type { PortalAccount } from '../../../shared/contract/accounts.ts';
import type { Plan } from '../../../shared/contract/scopes.ts';
import type { Env } from '../runtime/env.ts';
import { camelCased, resultsOf, runFunction } from './call-portal.ts';

interface AccountRow {
  readonly listed: object;
  readonly users: number;
  readonly tokens: number;
  readonly requests: number;
}

type Listed = Omit<PortalAccount, 'users' | 'tokens' | 'requests30Days'>;

/** A page of accounts by id, or one account. */
interface AccountQuery {
  readonly id?: string;
  /** Only ids that begin with this. */
  readonly search?: string | undefined;
  /** Only ids after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** For data outside of the database. @throws ApiError 403, even while the account is suspended; 503 */
export const requireAdministrator = (env: Env, session: string): Promise<void> =>
  runFunction(env, 'portal_require_administrator', [session]);

/** @throws ApiError for a broken rule, 503 */
export async function listAccounts(
  env: Env,
  session: string,
  { id, search, after, limit }: AccountQuery,
): Promise<PortalAccount[]> {
  const rows = await resultsOf<AccountRow>(env, 'portal_list_accounts', [
    session,
    id,
    after,
    limit,
    search,
  ]);
  return rows.map(({ listed, users, tokens, requests: requests30Days }) => {
    // The row has more columns.
    const { id, plan, pilot, admin, createdAt, suspendedAt, erasedAt } = camelCased(
      listed,
    ) as Listed;
    const rights = { id, plan, pilot, admin, createdAt, suspendedAt, erasedAt };
    return { ...rights, users, tokens, requests30Days };
  });
}

/** Rights of an account. `undefined` keeps a right of an existing one. */
export interface AccountRights {
  readonly plan?: Plan | undefined;
  readonly pilot?: boolean | undefined;
  readonly admin?: boolean | undefined;
}

/** @throws ApiError 409 if there is such an account */
export const createAccount = (
  env: Env,
  session: string,
  id: string,
  { plan = 'standard', pilot = false, admin = false }: AccountRights,
): Promise<void> => runFunction(env, 'portal_create_account', [session, id, plan, pilot, admin]);

/** @param id of the user, made by the caller, the same in every attempt. @throws ApiError 404, 409 */
export const inviteOwner = (
  env: Env,
  session: string,
  account: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> => runFunction(env, 'portal_invite_owner', [session, account, id, email]);

/** @throws ApiError 404, 409 if it was erased */
export const changeAccount = (
  env: Env,
  session: string,
  id: string,
  { plan, pilot, admin, suspended }: AccountRights & { readonly suspended?: boolean | undefined },
): Promise<void> =>
  runFunction(env, 'portal_change_account', [session, id, plan, pilot, admin, suspended]);
