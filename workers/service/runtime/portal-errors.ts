// Errors of the portal: sign-in, sessions, roles and the rules for tokens.

import { jobNotFound, jobOver, jobRunning, uploadNotFound, uploadsFull } from './chart-errors.ts';
import { ApiError, reportNotFound } from './errors.ts';

export const sessionRequired = () =>
  new ApiError(
    401,
    'session_required',
    'This endpoint requires a session, and the request has no session, or the session has ended. Sign in at /portal, or send a session token from POST /api/portal/v1/auth/login in the header Authorization: Bearer TOKEN.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
export const signInFailed = (what: 'password' | 'link') =>
  new ApiError(
    401,
    'sign_in_failed',
    what === 'link'
      ? 'The sign-in link is invalid, has expired or was used before. Ask an administrator for a new link.'
      : 'The email address or the password is wrong. Check both, or ask an administrator for a sign-in link.',
  );
export const crossSiteRequest = () =>
  new ApiError(
    403,
    'cross_site_request',
    'With a session cookie, changes are accepted from pages of this service only. Programs send the session token in the header Authorization: Bearer TOKEN.',
  );
export const roleRequired = (role: string) =>
  new ApiError(
    403,
    'role_required',
    `This endpoint requires the role ${role}. Ask the owner of the account for it.`,
  );
export const passwordRequired = () =>
  new ApiError(
    400,
    'bad_portal_request',
    'currentPassword is missing or wrong. Send the current password of the user.',
    { details: [{ path: 'currentPassword', message: 'is missing or wrong' }] },
  );
export const passwordWrong = () =>
  new ApiError(
    400,
    'bad_portal_request',
    'password is wrong, or the user has no password. Send the password of the user; set one first with POST /api/portal/v1/user/passwordChange.',
    { details: [{ path: 'password', message: 'is wrong, or the user has no password' }] },
  );
export const codeRequired = () =>
  new ApiError(
    401,
    'code_required',
    'The user has a second factor. Send a code of the authenticator app, or a recovery code, in code.',
  );
export const codeWrong = (status: 400 | 401) =>
  new ApiError(
    status,
    'code_wrong',
    'The code is wrong, has expired or was used. Send the code that the authenticator app shows now, or a recovery code that was not used.',
  );
const LOCK_SECONDS = 900;
export const secondFactorLocked = () =>
  new ApiError(
    429,
    'too_many_requests',
    'There were too many wrong codes. Try again in 15 minutes, or ask an administrator for a sign-in link.',
    { headers: { 'retry-after': String(LOCK_SECONDS) } },
  );
export const secondFactorConflict = (state: 'set' | 'missing') =>
  new ApiError(
    409,
    'second_factor_conflict',
    state === 'set'
      ? 'The user has a second factor already. End it first.'
      : 'There is no second factor to confirm. Start it first.',
  );
export const tokenNotFound = () =>
  new ApiError(
    404,
    'token_not_found',
    'The account has no token with this id. List its tokens and check the id.',
  );

export const userNotFound = () =>
  new ApiError(
    404,
    'user_not_found',
    'The account has no user with this id. List its users and check the id.',
  );

export const accountNotFound = () =>
  new ApiError(
    404,
    'account_not_found',
    'There is no account with this id. List the accounts and check the id.',
  );

export const blockNotFound = () =>
  new ApiError(
    404,
    'block_not_found',
    'The account has no block with this number. List the blocks and check the number.',
  );

/** Also of a track of another account. */
export const accountTrackNotFound = () =>
  new ApiError(
    404,
    'track_not_found',
    'The account has no track with this id. List its tracks and check the id.',
  );

/** Messages of the rules in `migrations`, from `0011-portal.sql` on, by the code that the database raises. */
const RULES: Readonly<Record<string, () => ApiError>> = {
  session_ended: sessionRequired,
  role_missing: () =>
    new ApiError(
      403,
      'role_required',
      'Your role does not permit a token with these rights. Ask the owner of the account for a higher role.',
    ),
  token_unknown: tokenNotFound,
  token_replaced: () => conflict('The token was replaced already. Use its replacement.'),
  token_revoked: () => conflict('The token was revoked. Create a new token.'),
  token_signed: () =>
    conflict(
      'The service has no key for signed tokens. Create a token here and use it instead, or use npm run tokens.',
    ),
  user_unknown: userNotFound,
  user_exists: () =>
    teamConflict('There is a user with this email address already. Use another address.'),
  last_owner: () =>
    teamConflict('The account would have no owner. Make another user the owner first.'),
  team_full: () => teamConflict('The account has 1,000 users. Remove users first.'),
  team_role_missing: () =>
    new ApiError(
      403,
      'role_required',
      'Only an administrator can change an administrator. Ask the operator of the service.',
    ),
  track_unknown: accountTrackNotFound,
  account_missing: accountNotFound,
  account_exists: () =>
    accountConflict('There is an account with this id already. Use another id.'),
  account_gone: () => accountConflict('The account was erased and cannot be changed.'),
  own_data: () =>
    erasureConflict(
      'Your own account and user cannot be erased here. Use npm run tokens -- erase for that.',
    ),
  owner_exists: () =>
    accountConflict('The account has an owner already. Ask the owner to invite other users.'),
  own_account: () =>
    accountConflict('Your own account cannot be suspended. Use npm run tokens for that.'),
  report_unknown: reportNotFound,
  report_over: () =>
    new ApiError(
      409,
      'report_over',
      'The report cannot be restored because it has expired or its author was erased. If the author was erased, the author cannot be blocked either.',
    ),
  block_unknown: blockNotFound,
  user_blocked: () =>
    new ApiError(
      403,
      'user_blocked',
      'A moderator of the account has blocked this user: new reports and votes are rejected. Ask the operator of the app.',
    ),
  upload_unknown: uploadNotFound,
  uploads_full: uploadsFull,
  job_unknown: jobNotFound,
  job_over: jobOver,
  job_running: jobRunning,
  account_unknown: () => limit('does not exist'),
  account_erased: () => limit('was erased'),
  account_suspended: () => limit('is suspended'),
  plan_exceeded: () => limit('has the standard plan'),
  pilot_exceeded: () => limit('may not use routing'),
  admin_exceeded: () => limit('may not have tokens with the scope reports:admin'),
};

const conflict = (message: string) => new ApiError(409, 'token_conflict', message);
const accountConflict = (message: string) => new ApiError(409, 'account_conflict', message);
export const erasureConflict = (message: string) => new ApiError(409, 'erasure_conflict', message);
const teamConflict = (message: string) => new ApiError(409, 'team_conflict', message);
const limit = (state: string) =>
  new ApiError(
    403,
    'account_limit',
    `The account ${state}. Ask the operator of the service to change that.`,
  );

/** The error of a rule; `undefined` for an unknown code. */
export const ruleError = (code: string): ApiError | undefined => RULES[code]?.();
