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
import {
  changeMember,
  inviteMember,
  listMembers,
  removeMember,
  resetMember,
  signOutMember,
} from '../db/team-store.ts';
import {
  type AppContext,
  type Endpoint,
  jsonAnswer,
  type Parameter,
  queryParameter,
} from '../http/endpoint.ts';
import { createLink, LINK_MS } from '../portal/session.ts';
import { ApiError } from '../runtime/errors.ts';
import { badQuery, DEFAULT_PAGE, limitParameter, valuesOfQuery } from './page-query.ts';
import { badBody, PORTAL_PATH, portalMember, readPortalBody } from './portal-auth.ts';
import { NO_STORE } from './portal-tokens.ts';

const TEAM_PATH = `${PORTAL_PATH}/team`;

export const MEMBER: TeamMember = {
  userId: '5d0c6a0e-53c0-4d0e-8f57-0f3d0e6c2a11',
  username: 'jane@example.com',
  accountId: 'acme',
  role: 'moderator',
  createdAt: 1_764_547_200_000,
  lastSeenAt: null,
  hasPassword: false,
};
const memberAnswer = jsonAnswer('The user', teamMemberSchema, MEMBER);
export const linkAnswer = jsonAnswer('The user, with a one-time sign-in link', memberLinkSchema, {
  user: MEMBER,
  link: 'https://charts.example/portal#link=kQzvGmWbTnRcYpLsDfHjXaEuIoNwMqBt',
  expiresAt: 1_764_633_600_000,
});
const missing = {
  description: 'The account has no user with this id',
  error: 'user_not_found',
} as const;
const conflict = {
  description:
    'A user with this address exists, the team is full, or the account would have no owner',
  error: 'team_conflict',
} as const;

const common = { tag: 'Portal', access: { kind: 'session', role: 'owner' } } as const;
const ofMember = {
  ...common,
  path: `${TEAM_PATH}/{id}`,
  parameters: [
    {
      name: 'id',
      in: 'path',
      description: 'Id of a user of the account, or of any account for an administrator',
      schema: z.string(),
      required: true,
      example: MEMBER.userId,
    },
  ] satisfies Parameter[],
} as const;

const PAGE = [
  limitParameter(MAX_USERS_PER_PAGE, 'users'),
  queryParameter(
    'after',
    'Email address of the last user of the previous page',
    z.string().max(254),
  ),
] as const;

const idOf = (c: AppContext): string => c.req.param('id') ?? '';

export const portalTeam: readonly Endpoint[] = [
  {
    ...common,
    method: 'get',
    path: TEAM_PATH,
    id: 'portalListTeam',
    isStrict: true,
    summary: 'Lists the users of the account by email address.',
    description: 'For the next page, set `after` to the email address of the last user.',
    parameters: PAGE,
    answers: {
      200: jsonAnswer('A page of users', z.array(teamMemberSchema), [MEMBER]),
      400: badQuery,
    },
    handle: async (c) =>
      c.json(await listMembers(c.env, portalMember(c).sessionId, pageOf(c)), 200, NO_STORE),
  },
  {
    ...common,
    method: 'post',
    path: TEAM_PATH,
    id: 'portalInvite',
    summary: 'Creates a user of the account, with a sign-in link.',
    description: 'No mail is sent: send the link to the user. It works once, within a day.',
    body: {
      schema: invitationSchema,
      description: 'Email address and role',
      example: { username: 'jane@example.com', role: 'moderator' },
    },
    answers: { 201: linkAnswer, 400: badBody, 409: conflict },
    handle: async (c) => {
      const { username: email, role } = await readPortalBody(c, invitationSchema);
      const id = crypto.randomUUID();
      await inviteMember(c.env, portalMember(c).sessionId, { id, email, role });
      return withLink(c, id);
    },
  },
  {
    ...ofMember,
    method: 'post',
    id: 'portalChangeRole',
    summary: 'Changes the role of a user.',
    description:
      'The change takes effect with the next request of the user. An account must keep an owner.',
    body: {
      schema: memberChangeSchema,
      description: 'The new role',
      example: { role: 'owner' },
    },
    answers: { 200: memberAnswer, 400: badBody, 404: missing, 409: conflict },
    handle: async (c) => {
      const { role } = await readPortalBody(c, memberChangeSchema);
      const { sessionId } = portalMember(c);
      await changeMember(c.env, sessionId, idOf(c), role);
      return c.json(await memberOf(c, idOf(c)), 200, NO_STORE);
    },
  },
  {
    ...ofMember,
    method: 'delete',
    id: 'portalRemoveUser',
    summary: 'Removes a user from the account.',
    description:
      'The sessions of the user end at once. API tokens belong to the account and still work.',
    answers: { 204: { description: 'Removed' }, 404: missing, 409: conflict },
    handle: async (c) => {
      await removeMember(c.env, portalMember(c).sessionId, idOf(c));
      return c.body(null, 204, NO_STORE);
    },
  },
  {
    ...ofMember,
    method: 'post',
    path: `${TEAM_PATH}/{id}/logoutEverywhere`,
    id: 'portalSignOutUser',
    summary: 'Ends all sessions of a user.',
    description: 'The user can sign in again. Your own session does not end.',
    answers: { 204: { description: 'Signed out' }, 404: missing },
    handle: async (c) => {
      await signOutMember(c.env, portalMember(c).sessionId, idOf(c));
      return c.body(null, 204, NO_STORE);
    },
  },
  {
    ...ofMember,
    method: 'post',
    path: `${TEAM_PATH}/{id}/link`,
    id: 'portalCreateLink',
    summary: 'Makes a new sign-in link for a user.',
    description:
      'Use it for a user who has lost the password or the link. The password, the other links and the sessions of the user become invalid.',
    answers: { 201: linkAnswer, 404: missing },
    handle: async (c) => {
      await resetMember(c.env, portalMember(c).sessionId, idOf(c));
      return withLink(c, idOf(c));
    },
  },
];

/** A user of the account. @throws ApiError 404 */
async function memberOf(c: AppContext, id: string): Promise<TeamMember> {
  const [found] = await listMembers(c.env, portalMember(c).sessionId, { id, limit: 1 });
  if (found === undefined) throw new ApiError('user_not_found');
  return found;
}

/** Make a sign-in link for a user and answer with it. */
export async function withLink(c: AppContext, id: string): Promise<Response> {
  const user = await memberOf(c, id);
  const expiresAt = Date.now() + LINK_MS;
  const token = await createLink(c.req.raw, c.env, user.username);
  const link = `${new URL(c.req.url).origin}/portal#link=${token}`;
  return c.json({ user, link, expiresAt }, 201, NO_STORE);
}

/** @throws ApiError 400 */
function pageOf(c: AppContext) {
  const { limit, after } = valuesOfQuery(c, PAGE);
  return { limit: Number(limit ?? DEFAULT_PAGE), after };
}
