// Tokens and accounts that were stopped: one small list, published to KV, kept per isolate for half
// a minute, so that reads cost nothing and a revoked token ends within two minutes.

import {
  REVOCATIONS_KEY,
  type Revocations,
  revocationsSchema,
} from '../../../shared/contract/revocations.ts';
import type { TokenClaims } from '../../../shared/contract/token-claims.ts';
import { type Env, settingsOf } from '../runtime/env.ts';
import { logFault } from '../runtime/log.ts';
import { isWithinPeriod } from '../runtime/periods.ts';
import { withinLimit } from '../runtime/time-limit.ts';

/** A first reading that takes longer is given up; the request goes on without. */
const READ_LIMIT_MS = 1000;

interface Denylist {
  readonly tokens: ReadonlySet<string>;
  readonly ending: ReadonlyMap<string, number>;
  readonly suspended: ReadonlySet<string>;
  readonly generations: ReadonlyMap<string, number>;
}

/** A cache named as one: the last list read by this isolate, per namespace. */
const cache = new WeakMap<object, Known>();

interface Known {
  readonly list: Denylist | undefined;
  /** When it was read, or reading it was tried. */
  readonly readAt: number;
  /** When reading it anew was last begun. */
  askedAt: number;
}

/** Whether a token was stopped; `unknown` until a list could be read for the first time. */
export type Standing = 'good' | 'stopped' | 'unknown';

/** An unreachable list leaves the last one in force. */
export async function standingOf(
  claims: TokenClaims,
  env: Env,
  nowMs: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Standing> {
  const { KV } = env;
  if (KV === undefined) return 'good';
  const { revocationRefreshMs } = settingsOf(env);
  const known = cache.get(KV);
  // An isolate that was not asked for a while must not go by what it knew then.
  if (known === undefined || !isWithinPeriod(nowMs, known.readAt, 2 * revocationRefreshMs)) {
    await refresh(KV, nowMs);
  } else if (!isWithinPeriod(nowMs, known.askedAt, revocationRefreshMs)) {
    known.askedAt = nowMs;
    defer(refresh(KV, nowMs));
  }
  const list = cache.get(KV)?.list;
  if (list === undefined) return 'unknown';
  const isStopped =
    list.tokens.has(claims.jti) ||
    (list.ending.get(claims.jti) ?? Number.POSITIVE_INFINITY) <= nowMs ||
    list.suspended.has(claims.acc) ||
    claims.gen < (list.generations.get(claims.acc) ?? 0);
  return isStopped ? 'stopped' : 'good';
}

async function refresh(KV: KVNamespace, nowMs: number): Promise<void> {
  const before = cache.get(KV)?.list;
  let list = before;
  try {
    const stored = await withinLimit(KV.get(REVOCATIONS_KEY, 'json'), READ_LIMIT_MS);
    // None was ever published: no token is stopped. One that vanished stays in force.
    if (stored === null) list = before ?? NONE_STOPPED;
    else list = listOf(revocationsSchema.parse(stored));
  } catch (error) {
    logFault('denylist', error);
  }
  cache.set(KV, { list, readAt: nowMs, askedAt: nowMs });
}

// Maps, not the objects of the list: an account may be called `constructor`.
const listOf = ({ tokens, ending, suspended, generations }: Revocations): Denylist => ({
  tokens: new Set(tokens),
  ending: new Map(Object.entries(ending)),
  suspended: new Set(suspended),
  generations: new Map(Object.entries(generations)),
});

const NONE_STOPPED = listOf({ tokens: [], ending: {}, suspended: [], generations: {} });
