// /api/portal/v1/auth: signing in and out, the user of a session, and the password.

import {
  linkLoginSchema,
  loginSchema,
  passwordChangeSchema,
  portalUserSchema,
  signedInSchema,
} from '../../../shared/contract/portal.ts';
import { type AppContext, jsonAnswer } from '../http/endpoint.ts';
import { limitSignIns } from '../http/rate-limit.ts';
import { knownBrowser } from '../portal/known-browser.ts';
import { requireNewSession } from '../portal/passkeys.ts';
import { changePassword, presentUser, signIn, signInByLink, signOut } from '../portal/session.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

export function setCookies(c: AppContext, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
}

export const signedIn = async (c: AppContext, start: ReturnType<typeof signIn>) => {
  const { member, token, cookies } = await start;
  setCookies(c, cookies);
  const user = presentUser(member);
  return { token: { id: token, userId: user.userId }, user };
};

export const sessionExample = (hasSecondFactor: boolean) => ({
  token: { id: 'SESSION-TOKEN', userId: 'b0LZy4vKXtLQhWmG3nqYb4l1pVn7xkRd' },
  user: {
    userId: 'b0LZy4vKXtLQhWmG3nqYb4l1pVn7xkRd',
    username: 'harbour@example.com',
    role: 'owner',
    isAdmin: false,
    isAccountOwner: true,
    hasSecondFactor,
    account: { id: 'acme', name: 'acme' },
  },
});

export const signInAnswers = {
  200: jsonAnswer(
    'The session. The response also sets the session cookie',
    signedInSchema,
    sessionExample(false),
  ),
  401: {
    description: 'The address, password or link is wrong, has expired or was used',
    error: 'sign_in_failed',
  },
  403: {
    description:
      'A page of another site sent the request; or the user is suspended (`user_suspended`)',
    error: 'cross_site_request',
  },
  404: { description: 'The portal is disabled (no USER_TOKEN_SECRET)', error: 'not_found' },
  429: {
    description:
      'Too many attempts from this network or for this user; retry after the time in `Retry-After`',
    error: 'too_many_requests',
  },
} as const;

export const portalAuth = [
  portalEndpoint({
    method: 'post',
    path: `${PORTAL_PATH}/auth/login`,
    id: 'portalLogin',
    summary: 'Signs a user in with the email address and password.',
    description:
      'Browsers receive a session cookie (`HttpOnly`, `SameSite=Lax`, and `Secure` on https). Programs send `token.id` as a Bearer token. A session ends after seven days without use. Users with a second factor also send `code`; each code is accepted once. Each network and each user has ten attempts per minute; a browser that the user has signed in with has its own.',
    access: { kind: 'public' },
    body: {
      schema: loginSchema,
      description: 'Email address and password, and the code of the second factor',
      example: { username: 'harbour@example.com', password: 'not the password' },
    },
    answers: {
      ...signInAnswers,
      401: {
        description:
          'The address or the password is wrong; or the code of the second factor is missing (`code_required`), or wrong or already used (`code_wrong`)',
        error: 'sign_in_failed',
      },
    },
    handle: async ({ c, body }) => {
      const browser = await knownBrowser(c.req.raw, c.env, body.username);
      await limitSignIns(c, browser ? `browser ${browser}` : `address ${body.username}`);
      return signedIn(c, signIn(c.req.raw, c.env, body));
    },
  }),
  portalEndpoint({
    method: 'post',
    path: `${PORTAL_PATH}/auth/loginByLink`,
    id: 'portalLoginByLink',
    summary: 'Signs a user in with a one-time link.',
    description:
      'Administrators create links for new users and for users who have lost their password. A link works once, within a day.',
    access: { kind: 'public' },
    body: {
      schema: linkLoginSchema,
      description: 'The token of the link',
      example: { link: 'kQzvGmWbTnRcYpLsDfHjXaEuIoNwMqBt' },
    },
    answers: signInAnswers,
    handle: async ({ c, body: { link } }) => {
      await limitSignIns(c);
      return signedIn(c, signInByLink(c.req.raw, c.env, link));
    },
  }),
  portalEndpoint({
    access: 'member',
    method: 'post',
    path: `${PORTAL_PATH}/auth/logout`,
    id: 'portalLogout',
    summary: 'Ends the session of the request.',
    description: 'API tokens are not affected.',
    answers: { 204: { description: 'Signed out' } },
    handle: async ({ c, env }) => setCookies(c, await signOut(c.req.raw, env, 'this')),
  }),
  portalEndpoint({
    access: 'member',
    method: 'post',
    path: `${PORTAL_PATH}/auth/logoutEverywhere`,
    id: 'portalLogoutEverywhere',
    summary: 'Ends all sessions of the user.',
    description:
      'Use it after a device was lost. API tokens and passkeys are not affected: revoke those of the device, and remove its passkeys.',
    answers: { 204: { description: 'Signed out everywhere' } },
    handle: async ({ c, env }) => setCookies(c, await signOut(c.req.raw, env, 'all')),
  }),
  portalEndpoint({
    access: 'member',
    method: 'get',
    path: `${PORTAL_PATH}/auth/whoami`,
    id: 'portalWhoami',
    summary: 'Returns the user of the session.',
    description: 'API tokens are rejected: they belong to an account, not to a user.',
    answers: { 200: jsonAnswer('The user', portalUserSchema, sessionExample(false).user) },
    handle: ({ member }) => presentUser(member),
  }),
  portalEndpoint({
    access: 'member',
    method: 'post',
    path: `${PORTAL_PATH}/user/passwordChange`,
    id: 'portalChangePassword',
    summary: 'Sets the password of the user.',
    description:
      'Ends all other sessions of the user. Passkeys stay valid: remove those that you do not know. A user without a password sets one within ten minutes of signing in, or within a day without a passkey.',
    body: {
      schema: passwordChangeSchema,
      description: 'The new password, and the current one if the user has one',
      example: { password: 'seven grey herons', currentPassword: 'not the password' },
    },
    answers: { 204: { description: 'Changed' } },
    handle: async ({ c, env, member, body }) => {
      // Not the count of the address, which strangers can use up.
      await limitSignIns(c, `password ${member.userId}`);
      const { password, currentPassword } = body;
      if (currentPassword == null) await requireNewSession(env, member);
      await changePassword(c.req.raw, env, password, currentPassword ?? undefined);
    },
  }),
];
