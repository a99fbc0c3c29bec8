// How often a token may ask from one address, by the platform's own counters: 60 seconds, counted
// where the request arrives. A guard against runaway clients, neither a quota nor a vote guard.

import { limitsUnavailable, tooManyRequests } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import type { AppContext, Endpoint } from './endpoint.ts';

/** Period of the counters, as `wrangler.toml` sets it. */
const LIMIT_PERIOD_SECONDS = 60;

/** Writes, and routes, which cost as much. */
const isCostly = ({ access, method }: Endpoint): boolean =>
  access.kind === 'token' &&
  (access.scope === 'routing' || (method !== 'get' && access.scope.endsWith(':write')));

/**
 * @throws ApiError 429 for a caller who was here too often. Where the counter fails, reading goes
 *   on, as charts must, and writing is 503.
 */
export async function enforceRateLimit(c: AppContext, endpoint: Endpoint): Promise<void> {
  const costly = isCostly(endpoint);
  const limiter = costly ? c.env.LIMIT_WRITES : c.env.LIMIT_READS;
  if (limiter === undefined) return;
  // A public token is in many hands: each address counts for itself.
  const key = `${c.get('caller')?.tokenId ?? ''} ${c.req.header('cf-connecting-ip') ?? ''}`;
  let success = true;
  try {
    ({ success } = await limiter.limit({ key }));
  } catch (error) {
    logFault('rate limit', error);
    if (costly) throw limitsUnavailable();
  }
  if (!success) throw tooManyRequests(LIMIT_PERIOD_SECONDS);
}
