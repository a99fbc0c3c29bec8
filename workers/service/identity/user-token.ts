// User tokens identify an end user of an account or an anonymous device. The service signs them
// with its own secret.

import { jwtVerify, SignJWT } from 'jose';
import { CLOCK_TOLERANCE_SECONDS } from '../../../shared/contract/token-claims.ts';
import { isTokenText } from '../../../shared/contract/token-text.ts';
import {
  USER_TOKEN_AUDIENCE,
  USER_TOKEN_HEADER,
  type UserTokenClaims,
  userTokenClaimsSchema,
} from '../../../shared/contract/user-token.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { hexOf } from '../runtime/hex.ts';

const MIN_SECRET_CHARACTERS = 32;

/** The signing secret; `undefined` if the deployment issues no user tokens. */
export function userTokenSecret(env: Env): Uint8Array | undefined {
  const text = env.USER_TOKEN_SECRET ?? '';
  return text.length < MIN_SECRET_CHARACTERS ? undefined : new TextEncoder().encode(text);
}

/**
 * A secret derived from the secret of user tokens (HKDF, RFC 5869), as hexadecimal digits.
 * @param purpose at most 1024 bytes; another one gives a secret that is independent of this one
 */
export async function derivedSecret(secret: Uint8Array, purpose: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret as BufferSource, 'HKDF', false, [
    'deriveBits',
  ]);
  const info = new TextEncoder().encode(purpose);
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return hexOf(new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 256)));
}

/** @param subject `device:…` or `user:…` */
export function signUserToken(
  secret: Uint8Array,
  { acc, sub, iat, exp }: UserTokenClaims,
): Promise<string> {
  return new SignJWT({ acc })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(USER_TOKEN_AUDIENCE)
    .setSubject(sub)
    .setIssuedAt(iat)
    .setExpirationTime(exp)
    .sign(secret);
}

/**
 * The end user of a request, if it has a user token. @param account account of the request's token
 * @throws ApiError 401 for an invalid user token, or one of a different account
 */
export async function endUserOf(
  request: Request,
  account: string,
  env: Env,
  nowMs: number,
): Promise<string | undefined> {
  const token = request.headers.get(USER_TOKEN_HEADER);
  if (token === null) return undefined;
  const secret = userTokenSecret(env);
  if (secret === undefined || !isTokenText(token)) throw new ApiError('user_token_invalid');
  const claims = await verified(token, secret, nowMs);
  if (claims?.acc !== account) throw new ApiError('user_token_invalid');
  return claims.sub;
}

async function verified(
  token: string,
  secret: Uint8Array,
  nowMs: number,
): Promise<UserTokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      audience: USER_TOKEN_AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return userTokenClaimsSchema.safeParse(payload).data;
  } catch {
    return undefined;
  }
}
