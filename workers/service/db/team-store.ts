// The functions of the database by which an owner manages the users of the account.

import type { PortalRole } from '../../../shared/contract/portal.ts';
import type { TeamMember } from '../../../shared/contract/team.ts';
import type { Env } from '../runtime/env.ts';
import { callPortal } from './portal-store.ts';

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly account_id: string;
  readonly role: PortalRole;
  readonly created_at: number;
}

interface ListedRow {
  readonly member: UserRow;
  readonly has_password: boolean;
  readonly last_seen: number | null;
}

/** A page of users by address, or one user. */
interface MemberQuery {
  readonly id?: string;
  /** Only addresses after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Users of all accounts, for administrators. */
  readonly search?: UserSearch;
}

/** `undefined` selects every value. */
interface UserSearch {
  readonly account?: string | undefined;
  /** Beginning of the address. */
  readonly address?: string | undefined;
}

/** The users of the owner's account, or of all accounts. @throws ApiError for a broken rule, 503 */
export async function listMembers(
  env: Env,
  session: string,
  { id, after, limit, search }: MemberQuery,
): Promise<TeamMember[]> {
  const rows = await callPortal<{ one: ListedRow }>(
    env,
    'SELECT to_jsonb(listed) AS one FROM portal_list_members($1, $2, $3, $4, $5, $6, $7) AS listed',
    [
      ...[session, id ?? null, after ?? null, limit],
      ...[search !== undefined, search?.account ?? null, search?.address?.toLowerCase() ?? null],
    ],
  );
  return rows.map(({ one: { member, has_password, last_seen } }) => ({
    userId: member.id,
    username: member.email,
    accountId: member.account_id,
    role: member.role,
    createdAt: member.created_at,
    lastSeenAt: last_seen,
    hasPassword: has_password,
  }));
}

/** @param id made by the caller, the same in every attempt. @throws ApiError 409 if the address is taken */
export async function inviteMember(
  env: Env,
  session: string,
  { id, email, role }: { readonly id: string; readonly email: string; readonly role: PortalRole },
): Promise<void> {
  await callPortal(env, 'SELECT portal_invite($1, $2, $3, $4)', [session, id, email, role]);
}

export async function changeMember(
  env: Env,
  session: string,
  id: string,
  role: PortalRole,
): Promise<void> {
  await callPortal(env, 'SELECT portal_change_member($1, $2, $3)', [session, id, role]);
}

export async function removeMember(env: Env, session: string, id: string): Promise<void> {
  await callPortal(env, 'SELECT portal_remove_member($1, $2)', [session, id]);
}

/** End the sessions of a user. */
export async function signOutMember(env: Env, session: string, id: string): Promise<void> {
  await callPortal(env, 'SELECT portal_sign_out_member($1, $2)', [session, id]);
}

/** End the sessions, the password and the links of a user. */
export async function resetMember(env: Env, session: string, id: string): Promise<void> {
  await callPortal(env, 'SELECT portal_reset_member($1, $2)', [session, id]);
}
