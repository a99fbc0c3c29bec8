// Sessions of the portal: who is signed in, signing in and out, and passwords.

import type { Login, PortalRole, PortalUser } from '../../../shared/contract/portal.ts';
import { takeCode } from '../db/passkey-store.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import {
  afterWrite,
  passwordRequired,
  type SignInWay,
  signInFailed,
} from '../runtime/portal-errors.ts';
import { askAuth, credentialsOf, HASHING_LIMIT, hashed, isRejection } from './ask-auth.ts';
import { type Auth, cookiePrefix, LINK_SECONDS } from './auth.ts';
import { rememberBrowser } from './known-browser.ts';
import { passSecondFactor } from './second-factor.ts';

/** A signed-in user. */
export interface Member {
  readonly sessionId: string;
  /** When the user signed in, epoch milliseconds. */
  readonly startedAt: number;
  readonly userId: string;
  readonly email: string;
  readonly account: string;
  readonly role: PortalRole;
  readonly hasSecondFactor: boolean;
  /** `Set-Cookie` headers of a session that was extended. */
  readonly cookies: readonly string[];
}

type SignedInUser = Omit<Member, 'cookies' | 'sessionId' | 'startedAt'>;

/** The result of a request that starts or ends sessions. */
export interface SignedIn {
  readonly member: SignedInUser;
  /** The session token. */
  readonly token: string;
  readonly cookies: readonly string[];
}

/**
 * The user of the session cookie, or of a session token in `Authorization`, which takes precedence.
 * @throws ApiError 401; 403 for a change with a cookie from a page of another site; 503
 */
export async function memberOf(request: Request, env: Env): Promise<Member> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const headers = credentialsOf(request);
  const { response, headers: answer } = await askAuth(request, env, (auth) =>
    auth.api.getSession({ headers, returnHeaders: true }),
  );
  if (response === null) throw new ApiError('session_required');
  if (!isRead && !headers.has('authorization') && !isSameOrigin(request))
    throw new ApiError('cross_site_request');
  return {
    ...memberOfUser(response.user),
    sessionId: response.session.id,
    startedAt: response.session.createdAt.getTime(),
    cookies: answer.getSetCookie(),
  };
}

/**
 * @param login.code a code of the second factor, for users who have one
 * @throws ApiError 401 `sign_in_failed`, `code_required` or `code_wrong`, 403, 503
 */
export function signIn(
  request: Request,
  env: Env,
  { username, password, code }: Login,
): Promise<SignedIn> {
  const attempt = crypto.randomUUID();
  const take = (one: string) => takeCode(env, username, one, attempt);
  return startSession(request, env, 'password', async (auth, headers) => {
    const body = { email: username, password };
    const answer = await auth.api.signInEmail({ body, headers, returnHeaders: true });
    if (!('twoFactorRedirect' in answer.response)) return answer;
    return passSecondFactor(auth, answer.headers, code ?? undefined, take);
  });
}

/** Sign in with a one-time link. @throws ApiError 401 `sign_in_failed`, 403, 503 */
export function signInByLink(request: Request, env: Env, link: string): Promise<SignedIn> {
  return startSession(request, env, 'link', (auth, headers) =>
    auth.api.magicLinkVerify({ query: { token: link }, headers, returnHeaders: true }),
  );
}

/** Time for which a sign-in link works, milliseconds. */
export const LINK_MS = LINK_SECONDS * 1000;

/** Creates a sign-in link for a user. @returns the token of the link. @throws ApiError 503 */
export async function createLink(request: Request, env: Env, email: string): Promise<string> {
  let link = '';
  const onLink = (token: string) => {
    link = token;
  };
  await askAuth(
    request,
    env,
    (auth) => auth.api.signInMagicLink({ body: { email }, headers: new Headers() }),
    { onLink },
  );
  return link;
}

interface Started {
  readonly headers: Headers;
  readonly response: { readonly token: string; readonly user: LibraryUser };
}

/** @throws ApiError 401 `sign_in_failed`, 403 for a page of another site or a suspended user, 503 */
export async function startSession(
  request: Request,
  env: Env,
  by: SignInWay,
  start: (auth: Auth, headers: Headers) => Promise<unknown>,
): Promise<SignedIn> {
  // A page of another site must not sign its visitors in.
  if (isCrossSite(request)) throw new ApiError('cross_site_request');
  const headers = new Headers({ 'user-agent': request.headers.get('user-agent') ?? '' });
  const { headers: answer, response } = (await askAuth(
    request,
    env,
    // Links and passkeys need no hash.
    (auth) =>
      by === 'password' ? hashed(request, () => start(auth, headers)) : start(auth, headers),
    { ...HASHING_LIMIT, proof: by === 'password' ? 'code' : 'link' },
  ).catch((error: unknown) => {
    throw isRejection(error) ? signInFailed(by) : error;
  })) as Started;
  const member = memberOfUser(response.user);
  return {
    member,
    token: answer.get('set-auth-token') ?? response.token,
    cookies: [...answer.getSetCookie(), ...(await rememberBrowser(request, env, member.email))],
  };
}

/** End the session of the request, or all sessions of its user. @returns `Set-Cookie` headers */
export async function signOut(request: Request, env: Env, which: 'this' | 'all') {
  const headers = credentialsOf(request);
  const answer = await askAuth(request, env, async (auth) => {
    if (which === 'all') await auth.api.revokeSessions({ headers });
    return auth.api.signOut({ headers, returnHeaders: true });
  });
  return answer.headers.getSetCookie();
}

/**
 * Set the password and end the other sessions. A user who signed in by a link may have no password.
 * @throws ApiError 400 without the current password, 503 `outcome_unknown`
 */
export async function changePassword(
  request: Request,
  env: Env,
  newPassword: string,
  currentPassword: string | undefined,
): Promise<void> {
  const headers = credentialsOf(request);
  /** A repeated attempt would compare the current password with the new one. */
  let isSet = false;
  const set = ({ api }: Auth) =>
    currentPassword === undefined
      ? api.setPassword({ body: { newPassword }, headers })
      : api.changePassword({ body: { newPassword, currentPassword }, headers });
  const changed = askAuth(
    request,
    env,
    (auth) =>
      hashed(request, async () => {
        if (!isSet) await set(auth);
        isSet = true;
        // The library would also replace the session of the request, which programs could not notice.
        await auth.api.revokeOtherSessions({ headers });
      }),
    HASHING_LIMIT,
  ).catch((error: unknown) => {
    throw isRejection(error) ? passwordRequired() : error;
  });
  await afterWrite(
    changed,
    'The password may have been changed. Sign in with the new one to see it.',
  );
}

/**
 * Set the password with a link that was sent by email, and end all sessions. It starts no session, so users with a
 * second factor need its code to sign in.
 * @throws ApiError 401 for a link that is unknown, used or expired; 403 for a suspended user; 503
 */
export async function resetPassword(
  request: Request,
  env: Env,
  token: string,
  newPassword: string,
): Promise<void> {
  if (!/^[\w-]+$/.test(token)) throw signInFailed('reset');
  await askAuth(
    request,
    env,
    (auth) => hashed(request, () => auth.api.resetPassword({ body: { token, newPassword } })),
    { ...HASHING_LIMIT, proof: 'reset' },
  ).catch((error: unknown) => {
    throw isRejection(error) ? signInFailed('reset') : error;
  });
}

export const presentUser = ({
  userId,
  email,
  account,
  role,
  hasSecondFactor,
}: SignedInUser): PortalUser => ({
  userId,
  username: email,
  role,
  hasSecondFactor,
  isAdmin: role === 'administrator',
  isAccountOwner: role === 'owner' || role === 'administrator',
  account: { id: account, name: account },
});

interface LibraryUser {
  readonly id: string;
  readonly email: string;
  readonly accountId?: string;
  readonly role?: string;
  readonly twoFactorEnabled?: boolean | null | undefined;
}

const memberOfUser = ({ id, email, accountId, role, twoFactorEnabled }: LibraryUser) => ({
  userId: id,
  email,
  account: accountId!,
  role: role as PortalRole,
  hasSecondFactor: twoFactorEnabled === true,
});

/** Two parts, unlike a signed and an opaque API token. */
const SESSION_BEARER = /^bearer +[^.\s]+\.[^.\s]+$/i;

/** Whether a request that may have an API token has a session instead. An API token takes precedence over the cookie. */
export function presentsSession({ headers, url }: Request): boolean {
  const bearer = headers.get('authorization')?.trim() ?? '';
  if (bearer !== '') return SESSION_BEARER.test(bearer);
  if (new URL(url).searchParams.has('token')) return false;
  const cookies = (headers.get('cookie') ?? '').split(';');
  return cookies.some((cookie) => cookie.trim().startsWith(`${cookiePrefix(url)}.session_token=`));
}

/** Fetch Metadata, or the Origin header of browsers that do not send it. */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  return request.headers.get('origin') === new URL(request.url).origin;
}

const isCrossSite = (request: Request): boolean =>
  (request.headers.has('sec-fetch-site') || request.headers.has('origin')) &&
  !isSameOrigin(request);
