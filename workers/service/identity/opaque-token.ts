// Looks up the claims of opaque tokens in KV, by the hash of the token. Results are cached per
// isolate: claims for a minute, unknown tokens for ten seconds, in separate caches, so that forged
// tokens cannot displace valid ones.

import type { LRUCache } from 'lru-cache';
import { opaqueTokenKey } from '../../../shared/contract/opaque-token.ts';
import { opaqueClaimsSchema, type TokenClaims } from '../../../shared/contract/token-claims.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import { isWithinPeriod } from '../runtime/periods.ts';
import { sha256 } from '../runtime/sha256.ts';
import { withinLimit } from '../runtime/time-limit.ts';

const READ_LIMIT_MS = 1000;
const KNOWN_MS = 60_000;
const UNKNOWN_MS = 10_000;
/** Maximum size of a hash with claims, and with a time only. */
const CLAIMS_BYTES = 4096;
const UNKNOWN_BYTES = 256;

interface Unknown {
  readonly readAt: number;
}

interface Known extends Unknown {
  readonly claims: TokenClaims;
}

interface Lookups {
  readonly known: LRUCache<string, Known>;
  readonly unknown: LRUCache<string, Unknown>;
}

/** Cache: results by hash, per namespace. */
const lookups = new WeakMap<object, Lookups>();

/**
 * The claims of an opaque token; `undefined` if it is unknown. The claims of a token never change,
 * so a cached entry remains in use while KV is unavailable, as signed tokens do.
 * @throws ApiError 503 if KV is unavailable and the claims are not cached
 */
export async function opaqueClaims(
  token: string,
  { KV }: Env,
  nowMs: number,
): Promise<TokenClaims | undefined> {
  if (KV === undefined) return undefined;
  const { known, unknown } = lookupsOf(KV);
  const hash = await sha256(new TextEncoder().encode(token));
  const before = known.get(hash);
  if (before !== undefined && isWithinPeriod(nowMs, before.readAt, KNOWN_MS)) return before.claims;
  const missing = unknown.get(hash);
  if (missing !== undefined && isWithinPeriod(nowMs, missing.readAt, UNKNOWN_MS)) return undefined;
  let claims: TokenClaims | undefined;
  try {
    const stored = await withinLimit(KV.get(opaqueTokenKey(hash), 'json'), READ_LIMIT_MS);
    claims = stored === null ? undefined : opaqueClaimsSchema.parse(stored);
  } catch (error) {
    logFault('opaque tokens', error);
    if (before === undefined) throw new ApiError('tokens_unavailable');
    claims = before.claims;
  }
  if (claims === undefined) {
    known.delete(hash);
    unknown.set(hash, { readAt: nowMs });
  } else known.set(hash, { claims, readAt: nowMs });
  return claims;
}

function lookupsOf(KV: KVNamespace): Lookups {
  const before = lookups.get(KV);
  if (before !== undefined) return before;
  const created: Lookups = {
    known: boundedCache('tokens', { sizeOf: () => CLAIMS_BYTES, share: 0.375 }),
    unknown: boundedCache('tokens', { sizeOf: () => UNKNOWN_BYTES, share: 0.125 }),
  };
  lookups.set(KV, created);
  return created;
}
