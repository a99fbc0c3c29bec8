// Tokens verified at the edge with no database: JWTs signed with Ed25519, the algorithm pinned and
// the key chosen by its id. Results are kept a short while per isolate.

import { type CryptoKey, importJWK, type JWK, jwtVerify } from 'jose';
import {
  CLOCK_TOLERANCE_SECONDS,
  MAX_TOKEN_CHARACTERS,
  type TokenClaims,
  tokenClaimsSchema,
} from '../../shared/contract/token-claims.ts';
import type { Env } from '../env.ts';

const CACHE_ENTRIES = 5000;
const CACHE_MS = 60_000;
const MIN_SECRET_CHARACTERS = 32;

interface Keys {
  readonly byId: ReadonlyMap<string, CryptoKey>;
  readonly secret: Uint8Array | undefined;
}

/** Caches named as such: keys per environment, claims per token. */
const keysCache = new WeakMap<object, Keys>();
const claimsCache = new Map<string, { readonly claims: TokenClaims; readonly until: number }>();

/** The claims of a token, or undefined for one that is not valid now. */
export async function verifyToken(
  token: string,
  env: Env,
  nowMs: number,
): Promise<TokenClaims | undefined> {
  if (token.length > MAX_TOKEN_CHARACTERS || token.split('.').length !== 3) return undefined;
  const known = claimsCache.get(token);
  if (known !== undefined && known.until > nowMs) return known.claims;
  const claims = await verifySignature(token, await keysOf(env));
  if (claims === undefined) return undefined;
  if (claimsCache.size >= CACHE_ENTRIES) claimsCache.clear();
  const expiresMs = (claims.exp + CLOCK_TOLERANCE_SECONDS) * 1000;
  claimsCache.set(token, { claims, until: Math.min(nowMs + CACHE_MS, expiresMs) });
  return claims;
}

async function verifySignature(token: string, keys: Keys): Promise<TokenClaims | undefined> {
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
        requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      },
    );
    return tokenClaimsSchema.safeParse(payload).data;
  } catch {
    // Whatever is wrong with a token, its bearer learns only that it is not valid.
    return undefined;
  }
}

async function keysOf(env: Env): Promise<Keys> {
  const known = keysCache.get(env);
  if (known !== undefined) return known;
  const byId = new Map<string, CryptoKey>();
  const set = JSON.parse(env.TOKEN_KEYS ?? '{"keys":[]}') as { readonly keys: readonly JWK[] };
  for (const jwk of set.keys) {
    if (jwk.kid === undefined || jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519') continue;
    // A private key has no place here; only the public part is read.
    const { d: _private, ...shown } = jwk;
    byId.set(jwk.kid, (await importJWK(shown, 'EdDSA')) as CryptoKey);
  }
  const text = env.TOKEN_SECRET ?? '';
  const secret = text.length >= MIN_SECRET_CHARACTERS ? new TextEncoder().encode(text) : undefined;
  const keys = { byId, secret };
  keysCache.set(env, keys);
  return keys;
}

/** Whether tokens can be verified at all; for /readyz. */
export async function hasTokenKeys(env: Env): Promise<boolean> {
  try {
    const keys = await keysOf(env);
    return keys.byId.size > 0 || keys.secret !== undefined;
  } catch {
    return false;
  }
}
