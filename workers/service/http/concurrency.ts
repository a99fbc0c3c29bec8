// Work that takes long, such as large uploads and routes: so much of one token and of one account at
// once in this process, so that there is room for everybody else.

import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { tooManyAtOnce } from '../runtime/errors.ts';
import { isUnexpired } from '../runtime/periods.ts';
import type { AppContext } from './endpoint.ts';

const MOST_OF_TOKEN = 2;
const MOST_OF_ACCOUNT = 4;
/** Work whose end went unnoticed, as the runtime gave it up, holds its place no longer. */
const LEASE_MS = 60_000;

/** Ends of leases by key. */
type Leases = Map<string, Set<{ readonly until: number }>>;

/** A cache named as one: what is under way in this process, per deployment. */
const underWay = new WeakMap<Env, Leases>();

/**
 * Do heavy work of a caller if there is room for it. It goes on to its end when the client leaves, so
 * that its place is given back. @throws ApiError 429 where the caller has as much under way as it may
 */
export function withConcurrencyLimit<T>(
  c: AppContext,
  { tokenId, account }: Caller,
  work: () => T | Promise<T>,
): Promise<T> {
  const leases = underWay.get(c.env) ?? new Map();
  underWay.set(c.env, leases);
  const nowMs = Date.now();
  const places = [
    [`token ${tokenId}`, MOST_OF_TOKEN],
    [`account ${account}`, MOST_OF_ACCOUNT],
  ] as const;
  if (places.some(([key, most]) => held(leases, key, nowMs) >= most)) throw tooManyAtOnce();
  const lease = { until: nowMs + LEASE_MS };
  for (const [key] of places) leases.set(key, (leases.get(key) ?? new Set()).add(lease));
  const giveBack = () => {
    for (const [key] of places) {
      const those = leases.get(key);
      those?.delete(lease);
      if (those?.size === 0) leases.delete(key);
    }
  };
  const done = (async () => work())().finally(giveBack);
  c.get('cost').defer(done.catch(() => undefined));
  return done;
}

function held(leases: Leases, key: string, nowMs: number): number {
  const those = leases.get(key);
  if (those === undefined) return 0;
  for (const lease of those) if (!isUnexpired(nowMs, lease.until, LEASE_MS)) those.delete(lease);
  return those.size;
}
