// Limits how many long requests, such as large uploads and routes, a token and an account can run
// at once in this process, so that they do not block other callers.

import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { withoutExpired } from '../runtime/periods.ts';
import type { AppContext } from './endpoint.ts';

const MAX_PER_TOKEN = 2;
const MAX_PER_ACCOUNT = 4;
/** How long, and how many, requests above a limit wait. */
const WAIT_MS = 15_000;
const POLL_MS = 50;
const MAX_WAITING = 32;
/** A lease expires in case the runtime cancels the work without notice. */
const LEASE_MS = 60_000;

/** Leases by key, each with the time when it expires. */
type Leases = Map<string, Set<{ readonly until: number }>>;

/** Cache: running work of this process, per deployment. */
const running = new WeakMap<Env, Leases>();

/**
 * Runs the work. At a limit of the caller, it first waits for other work to end. If the client
 * disconnects during the work, it still runs to its end, so that its lease is released. @throws
 * ApiError 429 if too many others wait, or the wait was too long
 */
export async function withConcurrencyLimit<T>(
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
  const isFull = () => limits.some(([key, most]) => activeLeases(leases, key) >= most);
  if (isFull()) {
    const waiting = limits.map(([key]) => `waiting ${key}`);
    if (waiting.some((key) => activeLeases(leases, key) >= MAX_WAITING))
      throw new ApiError('too_many_at_once');
    const leave = leased(leases, waiting, WAIT_MS);
    for (let ms = 0; ms < WAIT_MS && isFull(); ms += POLL_MS)
      await new Promise((done) => setTimeout(done, POLL_MS));
    leave();
    if (isFull()) throw new ApiError('too_many_at_once');
  }
  const held = limits.map(([key]) => key);
  const release = leased(leases, held, LEASE_MS);
  const result = (async () => work())().finally(release);
  c.get('cost').defer(result.catch(() => undefined));
  return result;
}

/** Adds a lease to each key. @returns removes it */
function leased(leases: Leases, keys: readonly string[], ms: number): () => void {
  const lease = { until: Date.now() + ms };
  for (const key of keys) leases.set(key, (leases.get(key) ?? new Set()).add(lease));
  return () => {
    for (const key of keys) {
      const active = leases.get(key);
      active?.delete(lease);
      if (active?.size === 0) leases.delete(key);
    }
  };
}

function activeLeases(leases: Leases, key: string): number {
  const active = leases.get(key);
  return active === undefined ? 0 : withoutExpired(active, LEASE_MS).size;
}
