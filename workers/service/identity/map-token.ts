// Tokens of the map of an account's charts in the portal. A session never reads tiles, so the page gets
// a token that can do nothing else, for an hour. The service signs it with the secret of user tokens. It is
// in no registry; suspending the account or revoking all of its tokens ends it, suspending the user does not.

import { errors, jwtVerify, SignJWT } from 'jose';
import {
  CLOCK_TOLERANCE_SECONDS,
  type TokenClaims,
  tokenClaimsSchema,
} from '../../../shared/contract/token-claims.ts';
import { isTokenText } from '../../../shared/contract/token-text.ts';
import type { Env } from '../runtime/env.ts';
import { userTokenSecret } from './user-token.ts';

/** Begins the text of each map token; no other token begins like this. */
const PREFIX = 'map-';
/** Distinguishes map tokens from user tokens. */
const AUDIENCE = 'leadline-map';
const LIFE_SECONDS = 3600;

export const isMapToken = (text: string): boolean => text.startsWith(PREFIX);

/** @param holder account, generation of its tokens, and the subject */
export async function signMapToken(
  secret: Uint8Array,
  holder: Pick<TokenClaims, 'acc' | 'gen' | 'sub'>,
  nowMs: number,
) {
  const iat = Math.floor(nowMs / 1000);
  const exp = iat + LIFE_SECONDS;
  const claims = {
    ...holder,
    jti: crypto.randomUUID(),
    typ: 'pk',
    plan: 'standard',
    pilot: false,
    scp: ['tiles', 'styles'],
    ext: false,
    iat,
    exp,
  } satisfies TokenClaims;
  const text = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(AUDIENCE)
    .sign(secret);
  return { token: `${PREFIX}${text}`, expiresAt: exp * 1000 };
}

/** The claims of a map token, the expiry of an expired one, or `undefined` for an invalid one. */
export async function mapTokenClaims(token: string, env: Env, nowMs: number) {
  const secret = userTokenSecret(env);
  const text = token.slice(PREFIX.length);
  if (secret === undefined || !isTokenText(text)) return undefined;
  try {
    const { payload } = await jwtVerify(text, secret, {
      algorithms: ['HS256'],
      audience: AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(nowMs),
    });
    return tokenClaimsSchema.safeParse(payload).data;
  } catch (error) {
    const exp = error instanceof errors.JWTExpired ? error.payload.exp : undefined;
    return exp === undefined ? undefined : { expiredAt: exp };
  }
}
