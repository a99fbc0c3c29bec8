// Verifies tokens without a database: JWTs signed with Ed25519. The algorithm is fixed and the key
// id selects the key. Results are cached per isolate for a minute.

import { type CryptoKey, errors, importJWK, type JWK, jwtVerify } from 'jose';
import type { LRUCache } from 'lru-cache';
import {
  CLOCK_TOLERANCE_SECONDS,
  type TokenClaims,
  tokenClaimsSchema,
} from '../../../shared/contract/token-claims.ts';
import { isTokenText } from '../../../shared/contract/token-text.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { boundedCache } from '../runtime/memory-budget.ts';

/** Maximum size of a token's text and claims. */
const ENTRY_BYTES = 4096;
const CACHE_MS = 60_000;
const MIN_SECRET_CHARACTERS = 32;

interface Keys {
  readonly byId: ReadonlyMap<string, CryptoKey>;
  readonly secret: Uint8Array | undefined;
  /** Number of invalid keys. */
  readonly faults: number;
  /** Cache: claims by token, as verified with these keys. */
  readonly claims: LRUCache<string, Known>;
}

/** Seconds since 1970. */
interface Expired {
  readonly expiredAt: number;
}

interface Known {
  readonly claims: TokenClaims;
  readonly until: number;
}

/** Cache: the keys of each environment, which is one object for an isolate's life. */
const keysCache = new WeakMap<object, Keys>();

/**
 * The claims of a valid token, the expiry of an expired one, or `undefined` for an invalid one.
 * @throws ApiError 503 if there is no valid key
 */
export async function verifyToken(
  token: string,
  env: Env,
  nowMs: number,
): Promise<TokenClaims | Expired | undefined> {
  if (!isTokenText(token)) return undefined;
  const keys = keysCache.get(env) ?? (await readKeys(env));
  const known = keys.claims.get(token);
  if (known !== undefined && known.until > nowMs) return known.claims;
  if (!canVerify(keys)) throw new ApiError('tokens_unavailable');
  const claims = await verifySignature(token, keys, nowMs);
  if (claims === undefined || 'expiredAt' in claims) return claims;
  const expiresMs = ((claims.exp ?? Number.POSITIVE_INFINITY) + CLOCK_TOLERANCE_SECONDS) * 1000;
  keys.claims.set(token, { claims, until: Math.min(nowMs + CACHE_MS, expiresMs) });
  return claims;
}

async function verifySignature(
  token: string,
  keys: Keys,
  nowMs: number,
): Promise<TokenClaims | Expired | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid, alg }) => {
        const key = kid === undefined ? undefined : keys.byId.get(kid);
        if (alg === 'EdDSA' && key !== undefined) return key;
        if (alg === 'HS256' && kid === undefined && keys.secret !== undefined) return keys.secret;
        throw new Error('no key for this token');
      },
      {
        algorithms: keys.secret === undefined ? ['EdDSA'] : ['EdDSA', 'HS256'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(nowMs),
        // The schema of the claims decides whether `exp` is required.
        requiredClaims: ['iat', 'jti', 'sub'],
      },
    );
    const claims = tokenClaimsSchema.safeParse(payload).data;
    const latestIssue = nowMs / 1000 + CLOCK_TOLERANCE_SECONDS;
    return claims === undefined || claims.iat > latestIssue ? undefined : claims;
  } catch (error) {
    // The signature is valid, so the response may state that the token has expired.
    if (error instanceof errors.JWTExpired && error.claim === 'exp') {
      const claims = tokenClaimsSchema.safeParse(error.payload).data;
      return claims?.exp === undefined ? undefined : { expiredAt: claims.exp };
    }
    // Do not reveal other reasons.
    return undefined;
  }
}

/** An invalid key is logged and skipped. */
async function readKeys(env: Env): Promise<Keys> {
  const byId = new Map<string, CryptoKey>();
  let faults = 0;
  for (const jwk of listedKeys(env.TOKEN_KEYS)) {
    try {
      // Ignore the private part of a key.
      const { d: _private, ...shown } = jwk;
      if (shown.kid === undefined || shown.crv !== 'Ed25519') throw new Error('not an Ed25519 key');
      byId.set(shown.kid, (await importJWK(shown, 'EdDSA')) as CryptoKey);
    } catch (error) {
      faults++;
      logFault('token keys', error);
    }
  }
  const text = env.TOKEN_SECRET ?? '';
  const secret = text.length >= MIN_SECRET_CHARACTERS ? new TextEncoder().encode(text) : undefined;
  if (text !== '' && secret === undefined) faults++;
  const claims = boundedCache<Known>('tokens', { sizeOf: () => ENTRY_BYTES, share: 0.5 });
  const keys: Keys = { byId, secret, faults, claims };
  keysCache.set(env, keys);
  return keys;
}

/** @returns one invalid key for an invalid key set, so that it is reported */
function listedKeys(text: string | undefined): readonly JWK[] {
  if (text === undefined || text === '') return [];
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    return Array.isArray(keys) ? (keys as JWK[]) : [{}];
  } catch {
    return [{}];
  }
}

const canVerify = ({ byId, secret }: Keys): boolean => byId.size > 0 || secret !== undefined;

/** Whether there is a key and all keys are valid; for /readyz. */
export async function areTokenKeysSound(env: Env): Promise<boolean> {
  const keys = keysCache.get(env) ?? (await readKeys(env));
  return canVerify(keys) && keys.faults === 0;
}
