// Refusals of tokens: what is wrong with the token of a request, and where to get a good one.

import { ApiError } from './errors.ts';

export const tokenRequired = () =>
  new ApiError(
    401,
    'token_required',
    'This address needs a token. Send it in the header Authorization: Bearer TOKEN, or as the query parameter token.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
export const queryTokenRequired = () =>
  new ApiError(
    401,
    'token_required',
    'This address needs the token as the query parameter token (?token=TOKEN); the header Authorization alone is not enough here.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
export const tokenInvalid = (
  message = 'The token is not valid: it is incomplete or changed, it was revoked, or it is of another service. Copy it again in full, or ask for a new one.',
) =>
  new ApiError(401, 'token_invalid', message, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
export const userTokenInvalid = () =>
  new ApiError(
    401,
    'user_token_invalid',
    'The user token in the header Leadline-User is not valid, has expired, or belongs to another account. Get a new one from POST /api/v1/user-tokens.',
    { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  );
/** @param expiredAt seconds since 1970 */
export const tokenExpired = (expiredAt: number) => {
  const message = `The token expired on ${utcText(expiredAt)}. Ask for a new one.`;
  const challenge = `Bearer error="invalid_token", error_description="${message}"`;
  return new ApiError(401, 'token_expired', message, {
    headers: { 'www-authenticate': challenge },
  });
};
const utcText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

const MOST_ORIGINS = 5;
/** An origin of a request is shown if it is one, and short. */
const ORIGIN = /^[a-z][a-z0-9+.-]{0,20}:\/\/[A-Za-z0-9.:[\]-]{1,100}$/;
/** @param seen the origin of the request; undefined if it named none */
export const originNotAllowed = (seen: string | undefined, allowed: readonly string[]) => {
  const some = allowed.slice(0, MOST_ORIGINS).join(', ');
  const more = allowed.length > MOST_ORIGINS ? ` and ${allowed.length - MOST_ORIGINS} more` : '';
  const what =
    seen === undefined
      ? 'The request names no origin (headers Origin and Referer)'
      : `The request comes from ${ORIGIN.test(seen) ? seen : 'another origin'}`;
  return new ApiError(
    403,
    'origin_not_allowed',
    `${what}, and the token may be used from ${some}${more} alone. Use a token for this origin.`,
  );
};
export const scopeRequired = (scope: string) =>
  new ApiError(
    403,
    'scope_required',
    `The token lacks the scope ${scope}, which this address needs. Use a token that has it.`,
  );
