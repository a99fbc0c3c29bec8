// Tokens and accounts that were stopped: one small list, published to KV, kept per isolate for half
// a minute, so that reads cost nothing and a revoked token ends within two minutes.

import * as z from 'zod';
import type { TokenClaims } from '../../shared/contract/token-claims.ts';
import { withinLimit } from '../charts/time-limit.ts';
import type { Env } from '../env.ts';
import { logFault } from './log.ts';

/** Key of the list in KV. */
export const DENYLIST_KEY = 'revoked-v1';
const REFRESH_MS = 30_000;
/** A first reading that takes longer is given up; the request goes on without. */
const READ_LIMIT_MS = 1000;

const denylistSchema = z.object({
  tokens: z.array(z.string()),
  suspended: z.array(z.string()),
  /** Least generation of tokens by account. */
  generations: z.record(z.string(), z.number().int()),
});

interface Denylist {
  readonly tokens: ReadonlySet<string>;
  readonly suspended: ReadonlySet<string>;
  readonly generations: Readonly<Record<string, number>>;
}

const NOBODY: Denylist = { tokens: new Set(), suspended: new Set(), generations: {} };

/** A cache named as one: the last list read by this isolate, per namespace. */
const cache = new WeakMap<object, { list: Denylist | undefined; readAt: number }>();

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
  const known = cache.get(KV);
  if (known === undefined) await refresh(KV, nowMs);
  else if (nowMs - known.readAt > REFRESH_MS) {
    known.readAt = nowMs;
    defer(refresh(KV, nowMs));
  }
  const list = cache.get(KV)?.list;
  if (list === undefined) return 'unknown';
  const isStopped =
    list.tokens.has(claims.jti) ||
    list.suspended.has(claims.acc) ||
    claims.gen < (list.generations[claims.acc] ?? 0);
  return isStopped ? 'stopped' : 'good';
}

async function refresh(KV: KVNamespace, nowMs: number): Promise<void> {
  const before = cache.get(KV)?.list;
  let list = before;
  try {
    const stored = await withinLimit(KV.get(DENYLIST_KEY, 'json'), READ_LIMIT_MS);
    // None was ever published: nobody is stopped. One that vanished stays in force.
    if (stored === null) list = before ?? NOBODY;
    else list = listOf(denylistSchema.parse(stored));
  } catch (error) {
    logFault('denylist', error);
  }
  cache.set(KV, { list, readAt: nowMs });
}

const listOf = ({ tokens, suspended, generations }: z.infer<typeof denylistSchema>): Denylist => ({
  tokens: new Set(tokens),
  suspended: new Set(suspended),
  generations,
});
