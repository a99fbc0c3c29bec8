// The sign-in library (better-auth): passwords, sessions, cookies and one-time links. The service and
// the commands on the operator's machine use the same configuration.

import { drizzleAdapter } from '@better-auth/drizzle-adapter';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { betterAuth } from 'better-auth/minimal';
import { bearer } from 'better-auth/plugins/bearer';
import { magicLink } from 'better-auth/plugins/magic-link';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { PASSWORD_LENGTH } from '../../../shared/contract/portal.ts';
import {
  portalChallenge,
  portalCredential,
  portalReset,
  portalSecondFactor,
  portalSession,
  portalUser,
  portalVerification,
} from '../db/portal-tables.ts';

const DAY_SECONDS = 86_400;
const SESSION_DAYS = 7;
export const LINK_SECONDS = DAY_SECONDS;

/** Sign-in links, codes of the second factor, or links that set a password. */
const PROOFS = { link: portalVerification, code: portalChallenge, reset: portalReset } as const;
export type Proof = keyof typeof PROOFS;

interface AuthOptions {
  /** A Drizzle database of any driver. */
  readonly database: Parameters<typeof drizzleAdapter>[0];
  readonly secret: string;
  /** Origin of the service. On https, cookies are `Secure`. */
  readonly origin: string;
  /** What the call is about. Each has a table of its own. */
  readonly proof?: Proof | undefined;
  /** Receives the token of a new sign-in link. */
  readonly onLink?: (token: string) => void;
  /** Receives errors that the library catches. */
  readonly onFault?: (fault: Error) => void;
}

/** Starts the session of a user whose passkey was verified. It has no URL. */
const startPasskeySession = createAuthEndpoint.serverOnly(
  { method: 'POST', body: z.object({ userId: z.string() }) },
  async (call) => {
    const { internalAdapter } = call.context;
    const user = await internalAdapter.findUserById(call.body.userId);
    if (user === null) throw call.error('UNAUTHORIZED');
    const session = await internalAdapter.createSession(user.id);
    await setSessionCookie(call, { session, user });
    return call.json({ token: session.token, user });
  },
);

/** Rejects sessions whose password was replaced or removed after it was compared: that ended the earlier ones only. */
const currentPassword = () => {
  let compared: string | undefined;
  return {
    id: 'current-password',
    init: ({ password }) => ({
      context: {
        password: {
          ...password,
          verify: (given) => {
            compared = given.hash;
            return password.verify(given);
          },
        },
      },
      options: {
        databaseHooks: {
          session: {
            create: {
              after: async ({ userId }, call) => {
                if (compared === undefined) return;
                const known = await call?.context.internalAdapter.findCredentialAccount(userId);
                if (known?.password !== compared) throw new APIError('UNAUTHORIZED');
              },
            },
          },
        },
      },
    }),
  } satisfies BetterAuthPlugin;
};

/** Users are created by the commands and by invitations, never by signing in. */
export const createAuth = ({
  database,
  secret,
  origin,
  proof = 'link',
  onLink,
  onFault,
}: AuthOptions) =>
  betterAuth({
    baseURL: origin,
    secret,
    database: drizzleAdapter(database, {
      provider: 'pg',
      schema: {
        user: portalUser,
        session: portalSession,
        account: portalCredential,
        verification: PROOFS[proof],
        twoFactor: portalSecondFactor,
      },
    }),
    user: {
      additionalFields: {
        accountId: { type: 'string', required: true, input: false },
        role: { type: 'string', required: true, input: false },
      },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.least,
      maxPasswordLength: PASSWORD_LENGTH.most,
      revokeSessionsOnPasswordReset: true,
      // The library ends the sessions before it writes the password.
      onPasswordReset: ({ user }) =>
        database['delete'](portalSession).where(eq(portalSession.userId, user.id)),
    },
    session: { expiresIn: SESSION_DAYS * DAY_SECONDS, freshAge: 0 },
    // Expired links are deleted with the expired sessions.
    verification: {
      disableCleanup: true,
      // `magicLink` hashes its links itself.
      storeIdentifier: { default: 'plain', overrides: { 'reset-password:': 'hashed' } },
    },
    advanced: {
      // The prefix that `cookiePrefix` adds is stricter than the one of the library.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(origin),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: isHttps(origin) },
      ipAddress: { disableIpTracking: true },
    },
    // The endpoints of the service limit the rate before they call the library.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, _message, ...details) => {
        for (const detail of details) if (detail instanceof Error) onFault?.(detail);
      },
    },
    plugins: [
      bearer({ requireSignature: true }),
      twoFactor({ issuer: 'Leadline' }),
      currentPassword(),
      { id: 'passkey-session', endpoints: { startPasskeySession } },
      magicLink({
        expiresIn: LINK_SECONDS,
        disableSignUp: true,
        storeToken: 'hashed',
        sendMagicLink: ({ token }) => onLink?.(token),
      }),
    ],
  });

export type Auth = ReturnType<typeof createAuth>;

const isHttps = (url: string): boolean => new URL(url).protocol === 'https:';

/** On https, `__Host-`: servers of other subdomains cannot set the cookie (RFC 6265bis, 4.1.3.2). */
export const cookiePrefix = (url: string): string =>
  isHttps(url) ? '__Host-leadline' : 'leadline';
