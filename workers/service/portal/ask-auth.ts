// Runs calls of the sign-in library: with a connection of their own, one password hash at a time, and with
// the session of the request.

import { readDatabase } from '../db/ask-database.ts';
import { refusedRule } from '../db/faults.ts';
import { derivedSecret, userTokenSecret } from '../identity/user-token.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { wideNetworkOf } from '../runtime/network-of.ts';
import { outcomeUnknown, ruleError } from '../runtime/portal-errors.ts';
import { WorkQueue } from '../runtime/work-queue.ts';
import { type Auth, createAuth, type Proof } from './auth.ts';

/** A password hash needs 32 MB of memory for 70 ms, and an isolate has 128 MB. */
const hashing = new WorkQueue(1);
/** For queries and hashes, which may wait for those of other users. */
export const HASHING_LIMIT = { limitMs: 8000 } as const;

/** The header with the session. A token in `Authorization` replaces the cookie. */
export function credentialsOf(request: Request): Headers {
  const headers = new Headers();
  for (const name of ['authorization', 'cookie'] as const) {
    const value = request.headers.get(name);
    if (value === null || value.trim() === '') continue;
    headers.set(name, value);
    break;
  }
  return headers;
}

/** One password hash at a time. Clients take turns. */
export async function hashed<T>(request: Request, work: () => Promise<T>): Promise<T> {
  const leave = await hashing.enter(1, wideNetworkOf(request.headers));
  try {
    return await work();
  } finally {
    leave();
  }
}

/** An error of the library that the input caused. Its redirects are errors of links. */
export const isRejection = (error: unknown): boolean =>
  !(error instanceof ApiError) && statusOf(error) < 500;

/** The HTTP status of an error of the library; 500 for other errors. */
export const statusOf = (error: unknown): number => {
  const status = (error as { readonly statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
};

/** The secret that signs sessions. @throws ApiError 404 if the portal is disabled */
export function authSecretOf(env: Env): Promise<string> {
  const secret = userTokenSecret(env);
  if (secret === undefined) throw new ApiError('not_found');
  return derivedSecret(secret, 'leadline portal sessions');
}

interface Options {
  readonly limitMs?: number;
  /** See `createAuth`. */
  readonly proof?: Proof;
  readonly onLink?: (token: string) => void;
}

/**
 * Use the library with a connection of its own.
 * @throws ApiError for a broken rule of the database, 503 if it is unavailable or if the library rejects a repeated
 *   attempt; errors of the library
 */
export async function askAuth<T>(
  request: Request,
  env: Env,
  work: (auth: Auth) => Promise<T>,
  { onLink, proof, ...limits }: Options = {},
): Promise<T> {
  const secret = await authSecretOf(env);
  const { origin } = new URL(request.url);
  let attempts = 0;
  return readDatabase(
    env,
    async (database) => {
      attempts++;
      /** The library hides errors of the database behind a status of 500. */
      let fault: Error | undefined;
      const onFault = (error: Error) => {
        fault ??= error;
      };
      try {
        return await work(
          createAuth({ database, secret, origin, proof, onFault, ...(onLink && { onLink }) }),
        );
      } catch (error) {
        throw statusOf(error) < 500 ? error : (fault ?? error);
      }
    },
    limits,
  ).catch((error: unknown) => {
    const rule = refusedRule(error);
    if (rule !== undefined) throw ruleError(rule) ?? error;
    // The library reports a failed insert without its cause.
    const isHidden = statusOf(error) === 401 && codeOf(error) === 'FAILED_TO_CREATE_SESSION';
    // An earlier attempt may have used the link or the code.
    const isWrong = error instanceof ApiError ? error.code === 'code_wrong' : isRejection(error);
    throw isHidden || (attempts > 1 && isWrong) ? outcomeUnknown() : error;
  });
}

/** The code of an error of the library. */
export const codeOf = (error: unknown): string | undefined =>
  (error as { readonly body?: { readonly code?: string } }).body?.code;
