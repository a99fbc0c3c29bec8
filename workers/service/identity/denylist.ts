// The list of revoked tokens and suspended accounts, published to KV and cached per isolate for 30
// s. A revocation takes effect for reads within two minutes.

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

/** If the first read takes longer, the request continues without the list. */
const READ_LIMIT_MS = 1000;

interface Denylist {
  readonly tokens: ReadonlySet<string>;
  readonly ending: ReadonlyMap<string, number>;
  readonly suspended: ReadonlySet<string>;
  readonly generations: ReadonlyMap<string, number>;
  readonly charts: ReadonlySet<string>;
}

/** Cache: the last list read by this isolate, per namespace. */
const cache = new WeakMap<object, Known>();

interface Known {
  readonly list: Denylist | undefined;
  /** Time of the last attempt to read it. */
  readonly readAt: number;
  /** Time when the last refresh began. */
  requestedAt: number;
}

export interface Standing {
  /** `unknown` until the list has been read for the first time. */
  readonly of: 'good' | 'stopped' | 'unknown';
  /** Whether the account may have charts of its own. */
  readonly hasCharts: boolean;
}

/** If the list is unavailable, the last one remains in force. */
export async function standingOf(
  claims: TokenClaims,
  env: Env,
  nowMs: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Standing> {
  const { KV } = env;
  if (KV === undefined) return { of: 'good', hasCharts: false };
  const { revocationRefreshMs } = settingsOf(env);
  const known = cache.get(KV);
  // After a longer pause the cached list is too old.
  if (known === undefined || !isWithinPeriod(nowMs, known.readAt, 2 * revocationRefreshMs)) {
    await refresh(KV, nowMs);
  } else if (!isWithinPeriod(nowMs, known.requestedAt, revocationRefreshMs)) {
    known.requestedAt = nowMs;
    defer(refresh(KV, nowMs));
  }
  const list = cache.get(KV)?.list;
  // The pointer of the account, if there is one, decides whether it has charts.
  if (list === undefined) return { of: 'unknown', hasCharts: true };
  const isStopped =
    list.tokens.has(claims.jti) ||
    (list.ending.get(claims.jti) ?? Number.POSITIVE_INFINITY) <= nowMs ||
    list.suspended.has(claims.acc) ||
    claims.gen < (list.generations.get(claims.acc) ?? 0);
  return { of: isStopped ? 'stopped' : 'good', hasCharts: list.charts.has(claims.acc) };
}

async function refresh(KV: KVNamespace, nowMs: number): Promise<void> {
  const before = cache.get(KV)?.list;
  let list = before;
  try {
    const stored = await withinLimit(KV.get(REVOCATIONS_KEY, 'json'), READ_LIMIT_MS);
    // No list has been published, so no token is revoked. A list that vanished remains in force.
    if (stored === null) list = before ?? NONE_STOPPED;
    else list = listOf(revocationsSchema.parse(stored));
  } catch (error) {
    logFault('denylist', error);
  }
  cache.set(KV, { list, readAt: nowMs, requestedAt: nowMs });
}

// Maps instead of objects: an account may be called `constructor`.
const listOf = ({ tokens, ending, suspended, generations, charts }: Revocations): Denylist => ({
  tokens: new Set(tokens),
  ending: new Map(Object.entries(ending)),
  suspended: new Set(suspended),
  generations: new Map(Object.entries(generations)),
  charts: new Set(charts),
});

const NONE_STOPPED = listOf({
  tokens: [],
  ending: {},
  suspended: [],
  generations: {},
  charts: [],
});
