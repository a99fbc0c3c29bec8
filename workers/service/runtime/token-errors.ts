// Errors about the token of a request. Each names the problem and how to get a valid token.

import { ApiError } from './errors.ts';

export const tokenRequired = () =>
  new ApiError(
    401,
    'token_required',
    'This endpoint requires a token. Send it in the header Authorization: Bearer TOKEN or in the query parameter token.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
export const queryTokenRequired = () =>
  new ApiError(
    401,
    'token_required',
    'This endpoint requires the token in the query parameter token (?token=TOKEN). The Authorization header alone is not sufficient.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
export const tokenInvalid = (
  message = 'The token is invalid: it is incomplete or modified, it was revoked, or it belongs to another service. Copy it again in full, or request a new one.',
) =>
  new ApiError(401, 'token_invalid', message, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
export const userTokenInvalid = () =>
  new ApiError(
    401,
    'user_token_invalid',
    'The user token in the header Leadline-User is invalid, has expired or belongs to another account. Get a new one from POST /api/v1/user-tokens.',
    { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  );
/** @param expiredAt seconds since 1970 */
export const tokenExpired = (expiredAt: number) => {
  const message = `The token expired on ${utcText(expiredAt)}. Request a new one.`;
  const challenge = `Bearer error="invalid_token", error_description="${message}"`;
  return new ApiError(401, 'token_expired', message, {
    headers: { 'www-authenticate': challenge },
  });
};
const utcText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

const MAX_LISTED_ORIGINS = 5;
/** The origin of a request is repeated only if it is well-formed and short. */
const ORIGIN = /^[a-z][a-z0-9+.-]{0,20}:\/\/[A-Za-z0-9.:[\]-]{1,100}$/;
/** @param origin of the request; `undefined` if it has neither an Origin nor a Referer header */
export const originNotAllowed = (origin: string | undefined, allowed: readonly string[]) => {
  const listed = allowed.slice(0, MAX_LISTED_ORIGINS).join(', ');
  const rest = allowed.length - MAX_LISTED_ORIGINS;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const cause =
    origin === undefined
      ? 'The request has neither an Origin nor a Referer header'
      : `The request comes from ${ORIGIN.test(origin) ? origin : 'another origin'}`;
  return new ApiError(
    403,
    'origin_not_allowed',
    `${cause}, but the token is restricted to ${listed}${more}. Use a token for this origin.`,
  );
};
export const scopeRequired = (scope: string) =>
  new ApiError(
    403,
    'scope_required',
    `This endpoint requires the scope ${scope}, which the token does not have. Use a token with this scope.`,
  );
