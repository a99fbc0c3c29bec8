// Errors about the token of a request. Each names the problem and how to get a valid token.

import { ApiError } from './errors.ts';

export const queryTokenRequired = () =>
  new ApiError(
    'token_required',
    'This endpoint requires the token in the query parameter token (?token=TOKEN). The Authorization header alone is not sufficient.',
  );
/** @param expiredAt seconds since 1970 */
export const tokenExpired = (expiredAt: number) => {
  const message = `The token expired on ${utcText(expiredAt)}. Request a new one.`;
  const challenge = `Bearer error="invalid_token", error_description="${message}"`;
  return new ApiError('token_expired', message, {
    headers: { 'www-authenticate': challenge },
  });
};
const utcText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

const MAX_LISTED_ORIGINS = 5;
/** @param origin of the request; `undefined` if it has neither an Origin nor a Referer header, nor `Sec-Fetch-Site: same-origin` */
export const originNotAllowed = (origin: string | undefined, allowed: readonly string[]) => {
  const listed = allowed.slice(0, MAX_LISTED_ORIGINS).join(', ');
  const rest = allowed.length - MAX_LISTED_ORIGINS;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const cause =
    origin === undefined
      ? 'The request has neither an Origin nor a Referer header'
      : 'The request comes from another origin';
  return new ApiError(
    'origin_not_allowed',
    `${cause}, but the token is restricted to ${listed}${more}. Use a token for the origin of the request.`,
  );
};
export const scopeRequired = (scope: string) =>
  new ApiError(
    'scope_required',
    `This endpoint requires the scope ${scope}, which the token does not have. Use a token with this scope.`,
  );
