// Limits how many long requests, such as large uploads and routes, a token and an account can run
// at once in this process, so that they do not block other callers.

import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { withoutExpired } from '../runtime/periods.ts';
import type { AppContext } from './endpoint.ts';

const MAX_PER_TOKEN = 2;
const MAX_PER_ACCOUNT = 4;
/** A lease expires in case the runtime cancels the work without notice. */
const LEASE_MS = 60_000;

/** Leases by key, each with the time when it expires. */
type Leases = Map<string, Set<{ readonly until: number }>>;

/** Cache: running work of this process, per deployment. */
const running = new WeakMap<Env, Leases>();

/**
 * Runs the work unless the caller has reached a limit. If the client disconnects, the work still
 * runs to its end, so that its lease is released. @throws ApiError 429 if the caller has reached a
 * limit
 */
export function withConcurrencyLimit<T>(
  c: AppContext,
  { tokenId, account }: Caller,
  work: () => T | Promise<T>,
): Promise<T> {
  const leases = running.get(c.env) ?? new Map();
  running.set(c.env, leases);
  const limits = [
    [`token ${tokenId}`, MAX_PER_TOKEN],
    [`account ${account}`, MAX_PER_ACCOUNT],
  ] as const;
  if (limits.some(([key, most]) => activeLeases(leases, key) >= most))
    throw new ApiError('too_many_at_once');
  const lease = { until: Date.now() + LEASE_MS };
  for (const [key] of limits) leases.set(key, (leases.get(key) ?? new Set()).add(lease));
  const release = () => {
    for (const [key] of limits) {
      const active = leases.get(key);
      active?.delete(lease);
      if (active?.size === 0) leases.delete(key);
    }
  };
  const result = (async () => work())().finally(release);
  c.get('cost').defer(result.catch(() => undefined));
  return result;
}

function activeLeases(leases: Leases, key: string): number {
  const active = leases.get(key);
  return active === undefined ? 0 : withoutExpired(active, LEASE_MS).size;
}
