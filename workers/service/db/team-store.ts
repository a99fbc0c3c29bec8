// The functions of the database by which an owner manages the users of the account.

import type { PortalRole } from '../../../shared/contract/portal.ts';
import type { TeamMember } from '../../../shared/contract/team.ts';
import type { Env } from '../runtime/env.ts';
import { camelCased, resultsOf, runFunction } from './call-portal.ts';

interface ListedRow {
  readonly member: object;
  readonly hasPassword: boolean;
  readonly lastSeen: number | null;
}

interface UserRow extends Pick<TeamMember, 'accountId' | 'role' | 'createdAt' | 'suspendedAt'> {
  readonly id: string;
  readonly email: string;
}

/** A page of users by address, or one user. */
interface MemberQuery {
  readonly id?: string;
  /** Only addresses after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Users of all accounts, for administrators. */
  readonly search?: {
    readonly account?: string | undefined;
    /** Beginning of the address. */
    readonly address?: string | undefined;
  };
}

/** The users of the owner's account, or of all accounts. @throws ApiError for a broken rule, 503 */
export async function listMembers(
  env: Env,
  session: string,
  { id, after, limit, search }: MemberQuery,
): Promise<TeamMember[]> {
  const rows = await resultsOf<ListedRow>(env, 'portal_list_members', [
    ...[session, id, after, limit],
    ...[search !== undefined, search?.account, search?.address?.toLowerCase()],
  ]);
  return rows.map(({ member, hasPassword, lastSeen: lastSeenAt }) => {
    const {
      id: userId,
      email: username,
      accountId,
      role,
      createdAt,
      suspendedAt,
    } = camelCased(member) as UserRow;
    return { userId, username, accountId, role, createdAt, suspendedAt, lastSeenAt, hasPassword };
  });
}

/** @param id made by the caller, the same in every attempt. @throws ApiError 409 if the address is taken */
export const inviteMember = (
  env: Env,
  session: string,
  { id, email, role }: { readonly id: string; readonly email: string; readonly role: PortalRole },
): Promise<void> => runFunction(env, 'portal_invite', [session, id, email, role]);

/** `undefined` keeps a value. A suspension ends the sessions of the user. @throws ApiError 404, 409 */
export const changeMember = (
  env: Env,
  session: string,
  id: string,
  { role, suspended }: { readonly role?: PortalRole; readonly suspended?: boolean },
): Promise<void> => runFunction(env, 'portal_change_member', [session, id, role, suspended]);

export const removeMember = (env: Env, session: string, id: string): Promise<void> =>
  runFunction(env, 'portal_remove_member', [session, id]);

/** End the sessions of a user. */
export const signOutMember = (env: Env, session: string, id: string): Promise<void> =>
  runFunction(env, 'portal_sign_out_member', [session, id]);

/** End the sessions, the password and the links of a user. */
export const resetMember = (env: Env, session: string, id: string): Promise<void> =>
  runFunction(env, 'portal_reset_member', [session, id]);
