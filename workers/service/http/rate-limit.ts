// Rate limits per token and client address, by the platform's rate limiter of the receiving data
// center, or by this process when self-hosted. They stop runaway clients; they are not quotas.

import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError, tooManyRequests } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { clientNetwork } from './client-network.ts';
import type { AppContext, Endpoint } from './endpoint.ts';
import { type Counted, MinuteCounter } from './minute-counter.ts';

/** Period of the counters, as `wrangler.toml` sets it. */
const LIMIT_PERIOD_SECONDS = 60;

/** The separate counters. */
type Limited = 'Reads' | 'Writes' | 'Heavy' | 'Refusals' | 'Users';

/** Writes and routes. */
const isCostly = ({ access, method }: Endpoint): boolean =>
  access.kind === 'token' &&
  (access.scope === 'routing' || (method !== 'get' && access.scope.endsWith(':write')));

/**
 * Many people use the same public token, so each client address has its own count.
 * @throws ApiError 429; 503 for writes if the counter fails. Reads are then allowed.
 */
export async function enforceRateLimit(
  c: AppContext,
  caller: Caller,
  endpoint: Endpoint,
): Promise<void> {
  const costly = isCostly(endpoint);
  const counterKey = `${caller.tokenId} ${clientNetwork(c)}`;
  await enforce(c, costly ? 'Writes' : 'Reads', counterKey, costly);
}

/**
 * Heavy work is counted per token, independent of the address, because only secret tokens can request most of it.
 * For work that public tokens can request, the id contains the network of the client.
 * @throws ApiError 429, 503
 */
export const limitHeavyWork = (c: AppContext, caller: Caller, endpoint: Pick<Endpoint, 'id'>) =>
  enforce(c, 'Heavy', heavyKey(caller, endpoint), true);

const heavyKey = ({ tokenId }: Caller, { id }: Pick<Endpoint, 'id'>) => `${id} ${tokenId}`;

/**
 * Heavy work within its limit. A refused request does not count if the endpoint wants this, except on the
 * platform, whose rate limiter takes nothing back. @throws ApiError 429, 503
 */
export async function withHeavyLimit(
  c: AppContext,
  caller: Caller,
  endpoint: Endpoint,
  work: () => Promise<Response>,
): Promise<Response> {
  await limitHeavyWork(c, caller, endpoint);
  const takeBackIf = (status: number) => {
    if (endpoint.isCheckedFirst !== true || status < 400 || status >= 500) return;
    const state = c.get('rateLimit');
    if (c.get('settings').rateLimitHeavy === 0 || state?.remaining === undefined) return;
    counterOf(c.env, 'Heavy').takeBack(heavyKey(caller, endpoint));
    c.set('rateLimit', { ...state, remaining: Math.min(state.remaining + 1, state.limit) });
  };
  try {
    const response = await work();
    takeBackIf(response.status);
    return response;
  } catch (error) {
    if (error instanceof ApiError) takeBackIf(error.status);
    throw error;
  }
}

/** Counts a 401 error. @returns the same error, or 429 if the address has had too many */
export async function countRefusal(c: AppContext, refusal: ApiError): Promise<ApiError> {
  const network = clientNetwork(c);
  if (network === '') return refusal;
  try {
    await enforce(c, 'Refusals', network, false);
    return refusal;
  } catch (error) {
    return error as ApiError;
  }
}

/** Requests of a signed-in user. @throws ApiError 429; 503 for changes if the counter fails */
export function limitMember(c: AppContext, userId: string): Promise<void> {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  return enforce(c, isRead ? 'Reads' : 'Writes', `member ${userId}`, !isRead);
}

/** Reads without a token or session. @throws ApiError 429 */
export const limitNetwork = (c: AppContext): Promise<void> =>
  enforce(c, 'Reads', `network ${clientNetwork(c)}`, false);

/**
 * Attempts to sign in, counted before the password is compared: for each network, and for each user, whose
 * password many networks may try. A user whose attempts are used up can still sign in by a link, or with a
 * browser that the user has signed in with before.
 * @param user what is counted: `address`, `browser`, `password` or `mail`, and its value; nothing for a link
 * @throws ApiError 429, 503
 */
export async function limitSignIns(c: AppContext, user?: string): Promise<void> {
  await enforce(c, 'Users', `sign-in ${clientNetwork(c)}`, true);
  if (user === undefined) return;
  const ofNetwork = c.get('rateLimit');
  await enforce(c, 'Users', `sign-in of ${user.trimEnd().toLowerCase()}`, true);
  const left = (state: typeof ofNetwork) => state?.remaining ?? Infinity;
  if (left(ofNetwork) < left(c.get('rateLimit'))) c.set('rateLimit', ofNetwork);
}

/** @throws ApiError 429 if an address has created too many user tokens; 503 */
export const limitUserTokens = (c: AppContext, tokenId: string): Promise<void> =>
  enforce(c, 'Users', `${tokenId} ${clientNetwork(c)}`, true);

/** @param isRequired whether to throw 503 if the counter fails */
async function enforce(
  c: AppContext,
  limited: Limited,
  key: string,
  isRequired: boolean,
): Promise<void> {
  const limit = c.get('settings')[`rateLimit${limited}`];
  if (limit === 0) return;
  let counted: Omit<Counted, 'remaining' | 'resetSeconds'> & Partial<Counted>;
  try {
    const platform = c.env[`LIMIT_${limited.toUpperCase() as Uppercase<Limited>}`];
    counted =
      platform === undefined
        ? counterOf(c.env, limited).count(key, limit, Date.now())
        : { isWithin: (await platform.limit({ key })).success };
  } catch (error) {
    logFault('rate limit', error);
    if (isRequired) throw new ApiError('limits_unavailable');
    return;
  }
  const { isWithin } = counted;
  const resetSeconds = counted.resetSeconds ?? (isWithin ? undefined : LIMIT_PERIOD_SECONDS);
  const remaining = isWithin ? counted.remaining : 0;
  c.set('rateLimit', { limit, remaining, resetSeconds });
  if (!isWithin) throw tooManyRequests(resetSeconds ?? LIMIT_PERIOD_SECONDS);
}

/** Cache: the counters of this process, per deployment. */
const counters = new WeakMap<Env, Map<Limited, MinuteCounter>>();

function counterOf(env: Env, limited: Limited): MinuteCounter {
  const ofEnv = counters.get(env) ?? new Map<Limited, MinuteCounter>();
  counters.set(env, ofEnv);
  const counter = ofEnv.get(limited) ?? new MinuteCounter();
  ofEnv.set(limited, counter);
  return counter;
}
