// GET and POST /api/portal/v1/team; POST and DELETE /api/portal/v1/team/{id}; POST …/link

import * as z from 'zod';
import {
  invitationSchema,
  MAX_USERS_PER_PAGE,
  memberChangeSchema,
  memberLinkSchema,
  type TeamMember,
  teamMemberSchema,
} from '../../../shared/contract/team.ts';
import { mailInvitation } from '../db/mail-store.ts';
import {
  changeMember,
  inviteMember,
  listMembers,
  removeMember,
  resetMember,
  signOutMember,
} from '../db/team-store.ts';
import { type AppContext, idParameter, jsonAnswer } from '../http/endpoint.ts';
import { createLink, LINK_MS } from '../portal/session.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { afterWrite } from '../runtime/portal-errors.ts';
import { checked, limitParameter } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const TEAM_PATH = `${PORTAL_PATH}/team`;

export const MEMBER: TeamMember = {
  userId: '5d0c6a0e-53c0-4d0e-8f57-0f3d0e6c2a11',
  username: 'jane@example.com',
  accountId: 'acme',
  role: 'moderator',
  createdAt: 1_764_547_200_000,
  suspendedAt: null,
  lastSeenAt: null,
  hasPassword: false,
};
export const INVITED =
  'Send the link to the user. It works once, within a day. If the service sends email, the user also gets a link to set a password by email (`isMailed`), which works independently of the first one.';
const memberAnswer = jsonAnswer('The user', teamMemberSchema, MEMBER);
export const linkAnswer = jsonAnswer('The user, with a one-time sign-in link', memberLinkSchema, {
  user: MEMBER,
  link: 'https://charts.example/portal#link=kQzvGmWbTnRcYpLsDfHjXaEuIoNwMqBt',
  expiresAt: 1_764_633_600_000,
  isMailed: false,
});
const missing = {
  description: 'The account has no user with this id',
  error: 'user_not_found',
} as const;
const conflict = {
  description:
    'A user with this address exists, the team is full, the account would have no owner, the user is you, or the user is suspended',
  error: 'team_conflict',
} as const;

const ofMember = {
  access: 'owner',
  path: `${TEAM_PATH}/{id}`,
  pathParameter: idParameter(
    'Id of a user of the account, or of any account for an administrator',
    MEMBER.userId,
  ),
} as const;

const PAGE = {
  limit: limitParameter(MAX_USERS_PER_PAGE, 'users'),
  after: checked('Email address of the last user of the previous page', z.string().max(254)),
} as const;

export const portalTeam = [
  portalEndpoint({
    access: 'owner',
    method: 'get',
    path: TEAM_PATH,
    id: 'portalListTeam',
    summary: 'Lists the users of the account by email address.',
    description: 'For the next page, set `after` to the email address of the last user.',
    query: PAGE,
    answers: { 200: jsonAnswer('A page of users', z.array(teamMemberSchema), [MEMBER]) },
    handle: ({ env, sessionId, query }) => listMembers(env, sessionId, query),
  }),
  portalEndpoint({
    access: 'owner',
    method: 'post',
    path: TEAM_PATH,
    id: 'portalInvite',
    summary: 'Creates a user of the account, with a sign-in link.',
    description: INVITED,
    body: {
      schema: invitationSchema,
      description: 'Email address and role',
      example: { username: 'jane@example.com', role: 'moderator' },
    },
    answers: { 201: linkAnswer, 409: conflict },
    handle: async ({ c, env, sessionId, body: { username: email, role } }) => {
      const id = crypto.randomUUID();
      await inviteMember(env, sessionId, { id, email, role });
      return invited(c, sessionId, id);
    },
  }),
  portalEndpoint({
    ...ofMember,
    method: 'post',
    id: 'portalChangeRole',
    summary: 'Changes the role of a user, or suspends and resumes the user.',
    description:
      'A new role takes effect with the next request of the user. A suspension ends the sessions at once; signing in and sign-in links answer 403 `user_suspended` until the user is resumed. API tokens belong to the account and still work. An account must keep an owner who is not suspended, and you cannot suspend yourself.',
    body: {
      schema: memberChangeSchema,
      description: 'The fields to change',
      example: { role: 'owner' },
    },
    answers: { 200: memberAnswer, 404: missing, 409: conflict },
    handle: async ({ env, sessionId, id, body: { role, suspended } }) => {
      await changeMember(env, sessionId, id, {
        ...(role && { role }),
        ...(suspended != null && { suspended }),
      });
      return afterWrite(memberOf(env, sessionId, id));
    },
  }),
  portalEndpoint({
    ...ofMember,
    method: 'delete',
    id: 'portalRemoveUser',
    summary: 'Removes a user from the account.',
    description:
      'The sessions of the user end at once. API tokens belong to the account and still work.',
    answers: { 204: { description: 'Removed' }, 404: missing, 409: conflict },
    handle: ({ env, sessionId, id }) => removeMember(env, sessionId, id),
  }),
  portalEndpoint({
    ...ofMember,
    method: 'post',
    path: `${TEAM_PATH}/{id}/logoutEverywhere`,
    id: 'portalSignOutUser',
    summary: 'Ends all sessions of a user.',
    description: 'The user can sign in again. Your own session does not end.',
    answers: { 204: { description: 'Signed out' }, 404: missing },
    handle: ({ env, sessionId, id }) => signOutMember(env, sessionId, id),
  }),
  portalEndpoint({
    ...ofMember,
    method: 'post',
    path: `${TEAM_PATH}/{id}/link`,
    id: 'portalCreateLink',
    summary: 'Makes a new sign-in link for a user.',
    description:
      'Use it for a user who has lost the password or the link. No email is sent. The password, the other links and the sessions of the user become invalid.',
    answers: { 201: linkAnswer, 404: missing, 409: conflict },
    handle: async ({ c, env, sessionId, id }) => {
      await resetMember(env, sessionId, id);
      return afterWrite(withLink(c, sessionId, id));
    },
  }),
];

/** A user of the account. @throws ApiError 404 */
async function memberOf(env: Env, sessionId: string, id: string): Promise<TeamMember> {
  const [found] = await listMembers(env, sessionId, { id, limit: 1 });
  if (found === undefined) throw new ApiError('user_not_found');
  return found;
}

/** A new user with a sign-in link. An email with a link is sent if the service sends email. */
export async function invited(c: AppContext, sessionId: string, id: string) {
  // After the sign-in link, which would replace the one in the email.
  const made = await afterWrite(
    withLink(c, sessionId, id),
    'The user was created without a sign-in link. List the users, and make a link.',
  );
  // The user exists, and the link cannot be read again.
  const isMailed = await mailInvitation(c.env, sessionId, id).catch(() => false);
  return { ...made, isMailed };
}

/** A user with a new sign-in link. */
async function withLink(c: AppContext, sessionId: string, id: string) {
  const user = await memberOf(c.env, sessionId, id);
  const expiresAt = Date.now() + LINK_MS;
  const token = await createLink(c.req.raw, c.env, user.username);
  // The link is for the address, which may belong to a user of another account if this one was removed.
  await memberOf(c.env, sessionId, id);
  const link = `${new URL(c.req.url).origin}/portal#link=${token}`;
  return { user, link, expiresAt, isMailed: false };
}
