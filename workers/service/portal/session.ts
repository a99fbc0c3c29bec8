// Sessions of the portal: who is signed in, signing in and out, and passwords.

import type { PortalRole, PortalUser } from '../../../shared/contract/portal.ts';
import { readDatabase } from '../db/ask-database.ts';
import { userTokenSecret } from '../identity/user-token.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError, databaseUnavailable, notFound } from '../runtime/errors.ts';
import {
  crossSiteRequest,
  passwordRequired,
  sessionRequired,
  signInFailed,
} from '../runtime/portal-errors.ts';
import { WorkQueue } from '../runtime/work-queue.ts';
import { type Auth, authSecret, createAuth, LINK_SECONDS } from './auth.ts';
import { rememberBrowser } from './known-browser.ts';

/** A signed-in user. */
export interface Member {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly account: string;
  readonly role: PortalRole;
  /** `Set-Cookie` headers of a session that was extended. */
  readonly cookies: readonly string[];
}

/** The result of a request that starts or ends sessions. */
interface SignedIn {
  readonly member: Omit<Member, 'cookies' | 'sessionId'>;
  /** The session token. */
  readonly token: string;
  readonly cookies: readonly string[];
}

/** A password hash needs 32 MB of memory for 70 ms, and an isolate has 128 MB. */
const hashing = new WorkQueue(1);
/** For queries and hashes, which may wait for those of other users. */
const HASHING_LIMIT = { limitMs: 8000 } as const;

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
  if (response === null) throw sessionRequired();
  if (!isRead && !headers.has('authorization') && !isSameOrigin(request)) throw crossSiteRequest();
  return {
    ...memberOfUser(response.user),
    sessionId: response.session.id,
    cookies: answer.getSetCookie(),
  };
}

/** @throws ApiError 401 `sign_in_failed`, 403, 503 */
export function signIn(
  request: Request,
  env: Env,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<SignedIn> {
  return startSession(request, env, 'password', (auth, headers) =>
    auth.api.signInEmail({
      body: { email: username, password },
      headers,
      returnHeaders: true,
    }),
  );
}

/** Sign in with a one-time link. @throws ApiError 401 `sign_in_failed`, 403, 503 */
export function signInByLink(request: Request, env: Env, link: string): Promise<SignedIn> {
  return startSession(request, env, 'link', (auth, headers) =>
    auth.api.magicLinkVerify({ query: { token: link }, headers, returnHeaders: true }),
  );
}

/** Time for which a sign-in link works, milliseconds. */
export const LINK_MS = LINK_SECONDS * 1000;

/** Make a sign-in link for a user. @returns its token. @throws ApiError 503 */
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

async function startSession(
  request: Request,
  env: Env,
  by: 'password' | 'link',
  start: (auth: Auth, headers: Headers) => Promise<unknown>,
): Promise<SignedIn> {
  // A page of another site must not sign its visitors in.
  if (isCrossSite(request)) throw crossSiteRequest();
  const headers = new Headers({ 'user-agent': request.headers.get('user-agent') ?? '' });
  const { headers: answer, response } = (await askAuth(
    request,
    env,
    (auth) => hashed(() => start(auth, headers)),
    HASHING_LIMIT,
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
 * @throws ApiError 400 without the current password
 */
export async function changePassword(
  request: Request,
  env: Env,
  newPassword: string,
  currentPassword: string | undefined,
): Promise<void> {
  const headers = credentialsOf(request);
  await askAuth(
    request,
    env,
    (auth) =>
      hashed(async () => {
        if (currentPassword === undefined) {
          await auth.api.setPassword({ body: { newPassword }, headers });
        } else {
          await auth.api.changePassword({ body: { newPassword, currentPassword }, headers });
        }
        // The library would also replace the session of the request, which programs could not notice.
        await auth.api.revokeOtherSessions({ headers });
      }),
    HASHING_LIMIT,
  ).catch((error: unknown) => {
    throw isRejection(error) ? passwordRequired() : error;
  });
}

export const presentUser = ({
  userId,
  email,
  account,
  role,
}: Omit<Member, 'cookies' | 'sessionId'>): PortalUser => ({
  userId,
  username: email,
  role,
  isAdmin: role === 'administrator',
  isAccountOwner: role === 'owner' || role === 'administrator',
  account: { id: account, name: account },
});

interface LibraryUser {
  readonly id: string;
  readonly email: string;
  readonly accountId?: string;
  readonly role?: string;
}

const memberOfUser = ({ id, email, accountId, role }: LibraryUser) => ({
  userId: id,
  email,
  account: accountId!,
  role: role as PortalRole,
});

/** The header with the session. A token in `Authorization` replaces the cookie. */
function credentialsOf(request: Request): Headers {
  const headers = new Headers();
  for (const name of ['authorization', 'cookie'] as const) {
    const value = request.headers.get(name);
    if (value === null) continue;
    headers.set(name, value);
    break;
  }
  return headers;
}

/** Two parts, unlike a signed and an opaque API token. */
const SESSION_BEARER = /^bearer +[^.\s]+\.[^.\s]+$/i;
const SESSION_COOKIE = /(^|;\s*)(__Secure-)?leadline\.session_token=/;

/** Whether a request that may have an API token has a session instead. An API token takes precedence over the cookie. */
export function presentsSession({ headers, url }: Request): boolean {
  const bearer = headers.get('authorization');
  if (bearer !== null) return SESSION_BEARER.test(bearer.trim());
  if (new URL(url).searchParams.has('token')) return false;
  return SESSION_COOKIE.test(headers.get('cookie') ?? '');
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

/** One password hash at a time. */
async function hashed<T>(work: () => Promise<T>): Promise<T> {
  const leave = await hashing.enter(1);
  try {
    return await work();
  } finally {
    leave();
  }
}

/** An error of the library that the input caused. Its redirects are errors of links. */
const isRejection = (error: unknown): boolean =>
  !(error instanceof ApiError) && statusOf(error) < 500;

const statusOf = (error: unknown): number => {
  const status = (error as { readonly statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
};

/**
 * Use the library with a connection of its own.
 * @throws ApiError 503 if the database is unavailable; errors of the library
 */
async function askAuth<T>(
  request: Request,
  env: Env,
  work: (auth: Auth) => Promise<T>,
  {
    onLink,
    ...limits
  }: { readonly limitMs?: number; readonly onLink?: (token: string) => void } = {},
): Promise<T> {
  const secretOfTokens = userTokenSecret(env);
  if (secretOfTokens === undefined) throw notFound();
  const secret = await authSecret(secretOfTokens);
  const { origin } = new URL(request.url);
  return readDatabase(
    env,
    async (database) => {
      /** The library hides errors of the database behind a status of 500. */
      let fault: Error | undefined;
      const onFault = (error: Error) => {
        fault ??= error;
      };
      try {
        return await work(
          createAuth({ database, secret, origin, onFault, ...(onLink && { onLink }) }),
        );
      } catch (error) {
        throw statusOf(error) < 500 ? error : (fault ?? error);
      }
    },
    limits,
  ).catch((error: unknown) => {
    // The library reports a failed insert without its cause.
    if (statusOf(error) === 401 && isLibraryFailure(error)) throw databaseUnavailable();
    throw error;
  });
}

const isLibraryFailure = (error: unknown): boolean =>
  (error as { readonly body?: { readonly code?: string } }).body?.code ===
  'FAILED_TO_CREATE_SESSION';
