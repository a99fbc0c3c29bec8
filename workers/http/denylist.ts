// Tokens and accounts that were stopped: one small list, published to KV, kept per isolate for half
// a minute, so that reads cost nothing and a revoked token ends within two minutes.

import * as z from 'zod';
import type { TokenClaims } from '../../shared/contract/token-claims.ts';
import type { Env } from '../env.ts';

/** Key of the list in KV. */
export const DENYLIST_KEY = 'revoked-v1';
const REFRESH_MS = 30_000;

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

/** A cache named as one: the last list read by this isolate, per namespace. */
const cache = new WeakMap<object, { list: Denylist | undefined; readAt: number }>();

/** Whether a token was stopped. An unreachable list leaves the last one in force. */
export async function isRevoked(
  claims: TokenClaims,
  env: Env,
  nowMs: number,
  defer: (work: Promise<unknown>) => void,
): Promise<boolean> {
  const { KV } = env;
  if (KV === undefined) return false;
  const known = cache.get(KV);
  if (known === undefined) await refresh(KV, nowMs);
  else if (nowMs - known.readAt > REFRESH_MS) {
    known.readAt = nowMs;
    defer(refresh(KV, nowMs));
  }
  const list = cache.get(KV)?.list;
  if (list === undefined) return false;
  return (
    list.tokens.has(claims.jti) ||
    list.suspended.has(claims.acc) ||
    claims.gen < (list.generations[claims.acc] ?? 0)
  );
}

async function refresh(KV: KVNamespace, nowMs: number): Promise<void> {
  const before = cache.get(KV)?.list;
  try {
    const found = denylistSchema.safeParse(await KV.get(DENYLIST_KEY, 'json')).data;
    const list: Denylist | undefined =
      found === undefined
        ? before
        : {
            tokens: new Set(found.tokens),
            suspended: new Set(found.suspended),
            generations: found.generations,
          };
    cache.set(KV, { list, readAt: nowMs });
  } catch {
    cache.set(KV, { list: before, readAt: nowMs });
  }
}
