// The functions of the database by which an administrator manages the accounts of the service.

import type { PortalAccount } from '../../../shared/contract/accounts.ts';
import type { Plan } from '../../../shared/contract/scopes.ts';
import type { Env } from '../runtime/env.ts';
import { callPortal } from './portal-store.ts';

interface AccountRow {
  readonly listed: {
    readonly id: string;
    readonly plan: Plan;
    readonly pilot: boolean;
    readonly admin: boolean;
    readonly created_at: number;
    readonly suspended_at: number | null;
    readonly erased_at: number | null;
  };
  readonly users: number;
  readonly tokens: number;
  readonly requests: number;
}

/** A page of accounts by id, or one account. */
interface AccountQuery {
  readonly id?: string;
  /** Only ids after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** @throws ApiError for a broken rule, 503 */
export async function listAccounts(
  env: Env,
  session: string,
  { id, after, limit }: AccountQuery,
): Promise<PortalAccount[]> {
  const rows = await callPortal<{ one: AccountRow }>(
    env,
    'SELECT to_jsonb(found) AS one FROM portal_list_accounts($1, $2, $3, $4) AS found',
    [session, id ?? null, after ?? null, limit],
  );
  return rows.map(({ one: { listed: account, users, tokens, requests } }) => ({
    id: account.id,
    plan: account.plan,
    pilot: account.pilot,
    admin: account.admin,
    createdAt: account.created_at,
    suspendedAt: account.suspended_at,
    erasedAt: account.erased_at,
    users,
    tokens,
    requests30Days: requests,
  }));
}

/** Rights of an account. `undefined` keeps a right of an existing one. */
export interface AccountRights {
  readonly plan?: Plan | undefined;
  readonly pilot?: boolean | undefined;
  readonly admin?: boolean | undefined;
}

/** @throws ApiError 409 if there is such an account */
export async function createAccount(
  env: Env,
  session: string,
  id: string,
  { plan = 'standard', pilot = false, admin = false }: AccountRights,
): Promise<void> {
  const values = [session, id, plan, pilot, admin];
  await callPortal(env, 'SELECT portal_create_account($1, $2, $3, $4, $5)', values);
}

/** @param id of the user, made by the caller, the same in every attempt. @throws ApiError 404, 409 */
export async function inviteOwner(
  env: Env,
  session: string,
  account: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  await callPortal(env, 'SELECT portal_invite_owner($1, $2, $3, $4)', [
    session,
    account,
    id,
    email,
  ]);
}

/** @throws ApiError 404, 409 if it was erased */
export async function changeAccount(
  env: Env,
  session: string,
  id: string,
  change: AccountRights & { readonly suspended?: boolean | undefined },
): Promise<void> {
  await callPortal(env, 'SELECT portal_change_account($1, $2, $3, $4, $5, $6)', [
    session,
    id,
    change.plan ?? null,
    change.pilot ?? null,
    change.admin ?? null,
    change.suspended ?? null,
  ]);
}
