// How often a token may ask from one address: by the platform's own counters at the edge, counted where
// the request arrives, and by this process elsewhere. A guard against runaway clients, neither a quota
// nor a vote guard.

import type { Caller } from '../identity/auth.ts';
import type { Env, Settings } from '../runtime/env.ts';
import { type ApiError, limitsUnavailable, tooManyRequests } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { clientNetwork } from './client-network.ts';
import type { AppContext, Endpoint } from './endpoint.ts';
import { type Counted, MinuteCounter } from './minute-counter.ts';

/** Period of the counters, as `wrangler.toml` sets it. */
const LIMIT_PERIOD_SECONDS = 60;

/** What is counted apart. */
type Limited = 'reads' | 'writes' | 'heavy' | 'refusals' | 'users';

const BINDINGS = {
  reads: 'LIMIT_READS',
  writes: 'LIMIT_WRITES',
  heavy: 'LIMIT_HEAVY',
  refusals: 'LIMIT_REFUSALS',
  users: 'LIMIT_USERS',
} as const satisfies Record<Limited, keyof Env>;

const limitOf = (settings: Settings, limited: Limited): number => settings.rateLimits[limited];

/** What an answer tells of the limit that it was counted in. */
export interface RateLimitState {
  readonly limit: number;
  /** Undefined where the platform counts, which tells only whether it is too many. */
  readonly remaining: number | undefined;
  readonly resetSeconds: number | undefined;
}

/** Writes, and routes, which cost as much. */
const isCostly = ({ access, method }: Endpoint): boolean =>
  access.kind === 'token' &&
  (access.scope === 'routing' || (method !== 'get' && access.scope.endsWith(':write')));

/**
 * A public token is in many hands: each address counts for itself, so that none uses up what is
 * another's.
 * @throws ApiError 429 for a caller who was here too often. Where the counter fails, reading goes
 *   on, as charts must, and writing is 503.
 */
export async function enforceRateLimit(
  c: AppContext,
  caller: Caller,
  endpoint: Endpoint,
): Promise<void> {
  const costly = isCostly(endpoint);
  const here = `${caller.tokenId} ${clientNetwork(c)}`;
  await enforce(c, costly ? 'writes' : 'reads', here, costly);
}

/**
 * Heavy work is a token's, wherever it comes from: only secret tokens may ask for it.
 * @throws ApiError 429, 503
 */
export const limitHeavyWork = (c: AppContext, { tokenId }: Caller, { id }: Pick<Endpoint, 'id'>) =>
  enforce(c, 'heavy', `${id} ${tokenId}`, true);

/** Whoever tries tokens, hears after a while that it was too often. @returns the refusal to answer */
export async function countRefusal(c: AppContext, refusal: ApiError): Promise<ApiError> {
  const network = clientNetwork(c);
  if (network === '') return refusal;
  try {
    await enforce(c, 'refusals', network, false);
    return refusal;
  } catch (error) {
    return error as ApiError;
  }
}

/** @throws ApiError 429 where an address was given enough tokens of end users; 503 */
export const limitUserTokens = (c: AppContext, tokenId: string): Promise<void> =>
  enforce(c, 'users', `${tokenId} ${clientNetwork(c)}`, true);

/** @param mustCount whether to refuse where the counter fails */
async function enforce(
  c: AppContext,
  limited: Limited,
  key: string,
  mustCount: boolean,
): Promise<void> {
  const limit = limitOf(c.get('settings'), limited);
  if (limit === 0) return;
  let counted: Omit<Counted, 'remaining' | 'resetSeconds'> & Partial<Counted>;
  try {
    const platform = c.env[BINDINGS[limited]];
    counted =
      platform === undefined
        ? counterOf(c.env, limited).count(key, limit, Date.now())
        : { isWithin: (await platform.limit({ key })).success };
  } catch (error) {
    logFault('rate limit', error);
    if (mustCount) throw limitsUnavailable();
    return;
  }
  const { isWithin } = counted;
  const resetSeconds = counted.resetSeconds ?? (isWithin ? undefined : LIMIT_PERIOD_SECONDS);
  const remaining = isWithin ? counted.remaining : 0;
  c.set('rateLimit', { limit, remaining, resetSeconds });
  if (!isWithin) throw tooManyRequests(resetSeconds ?? LIMIT_PERIOD_SECONDS);
}

/** A cache named as one: the counters of this process, per deployment. */
const counters = new WeakMap<Env, Map<Limited, MinuteCounter>>();

function counterOf(env: Env, limited: Limited): MinuteCounter {
  const those = counters.get(env) ?? new Map<Limited, MinuteCounter>();
  counters.set(env, those);
  const counter = those.get(limited) ?? new MinuteCounter();
  those.set(limited, counter);
  return counter;
}
