// Errors of the portal with a text of their own, and the errors of the rules of the database.

import { ApiError, badRequest } from './errors.ts';

const SIGN_IN_FAILED = {
  link: 'The sign-in link is invalid, has expired or was used before. Ask an administrator for a new link.',
  password:
    'The email address or the password is wrong. Check both, or ask an administrator for a sign-in link.',
  reset:
    'The link is invalid, has expired or was used before. If the password is set already, sign in with it. Otherwise request another link, or ask an administrator for one.',
  passkey:
    'The passkey is unknown or was removed, or the attempt took too long. Try again, or sign in with the password.',
} as const;
export type SignInWay = keyof typeof SIGN_IN_FAILED;
export const signInFailed = (way: SignInWay) => new ApiError('sign_in_failed', SIGN_IN_FAILED[way]);
export const roleRequired = (role: string) =>
  new ApiError(
    'role_required',
    `This endpoint requires the role ${role}. Ask the owner of the account for it.`,
  );
export const passwordRequired = () =>
  badRequest(
    'bad_portal_request',
    'currentPassword is missing or wrong. Send the current password of the user.',
    [{ path: 'currentPassword', message: 'is missing or wrong' }],
  );
export const sessionTooOld = () =>
  badRequest(
    'bad_portal_request',
    'currentPassword is missing. Send the current password. A user without a password signs in again first, because the session is too old.',
    [{ path: 'currentPassword', message: 'is missing, and the session is too old' }],
  );
export const passwordWrong = () =>
  badRequest(
    'bad_portal_request',
    'password is wrong, or the user has no password. Send the password of the user; set one first with POST /api/portal/v1/user/passwordChange.',
    [{ path: 'password', message: 'is wrong, or the user has no password' }],
  );
export const presenceRequired = () =>
  badRequest(
    'bad_portal_request',
    'password is missing or wrong, and the session is older than ten minutes. Send the password, or sign in again.',
    [{ path: 'password', message: 'is missing or wrong' }],
  );
/** The database failed, and an attempt may have been carried out although its response was lost. */
export const outcomeUnknown = (
  text = 'The database failed during the request. Try again, or sign in to see what was changed.',
) => new ApiError('outcome_unknown', text);

/**
 * Awaits steps that follow a write, so that their errors do not state that nothing was changed.
 * @throws ApiError 503 `outcome_unknown` if the database fails
 */
export const afterWrite = <T>(
  steps: Promise<T>,
  text = 'A part of the change was made. Repeat the request.',
): Promise<T> =>
  steps.catch((error: unknown) => {
    const isFault = error instanceof ApiError && FAULTS.has(error.code);
    throw isFault ? outcomeUnknown(text) : error;
  });
const FAULTS: ReadonlySet<string> = new Set(['database_unavailable', 'outcome_unknown']);

const LOCK_SECONDS = 900;
export const secondFactorLocked = () =>
  new ApiError(
    'too_many_requests',
    'There were too many wrong codes. Try again in 15 minutes, or ask an administrator for a sign-in link.',
    { headers: { 'retry-after': String(LOCK_SECONDS) } },
  );

const limit = (state: string) =>
  [
    'account_limit',
    `The account ${state}. Ask the operator of the service to change that.`,
  ] as const;

/** Codes and messages of the rules in `migrations`, by the code that the database raises with `refuse`. */
const RULES: Readonly<Record<string, readonly [...ConstructorParameters<typeof ApiError>]>> = {
  session_ended: ['session_required'],
  role_missing: [
    'role_required',
    'Your role does not permit a token with these rights. Ask the owner of the account for a higher role.',
  ],
  token_unknown: ['token_not_found'],
  token_replaced: [
    'token_conflict',
    'The token was replaced already. Use its replacement, or rotate the replacement if its text is lost.',
  ],
  token_revoked: ['token_conflict', 'The token was revoked. Create a new token.'],
  token_signed: [
    'token_conflict',
    'The service has no key for signed tokens. Create a token here and use it instead, or use npm run tokens.',
  ],
  mail_missing: ['mail_not_configured'],
  user_unknown: ['user_not_found'],
  user_exists: [
    'team_conflict',
    'There is a user with this email address already. Use another address.',
  ],
  last_owner: [
    'team_conflict',
    'The account would have no owner. Make another user the owner first.',
  ],
  own_user: [
    'team_conflict',
    'You cannot suspend yourself. Ask another owner or an administrator.',
  ],
  own_link: [
    'team_conflict',
    'You cannot make a link for yourself. Change your password, or ask another owner or an administrator.',
  ],
  member_suspended: ['team_conflict', 'The user is suspended. Resume the user first.'],
  user_suspended: ['user_suspended'],
  team_full: ['team_conflict', 'The account has 1,000 users. Remove users first.'],
  team_role_missing: [
    'role_required',
    'Only an administrator can change an administrator. Ask the operator of the service.',
  ],
  track_unknown: [
    'track_not_found',
    'The account has no track with this id. List its tracks and check the id.',
  ],
  account_missing: ['account_not_found'],
  account_exists: ['account_conflict', 'There is an account with this id already. Use another id.'],
  account_gone: ['account_conflict', 'The account was erased and cannot be changed.'],
  own_data: [
    'erasure_conflict',
    'Your own account and user cannot be erased here. Ask the operator to run npm run tokens -- erase.',
  ],
  owner_exists: [
    'account_conflict',
    'The account has an owner already. Ask the owner to invite other users.',
  ],
  own_account: [
    'account_conflict',
    'Your own account cannot be suspended. Ask the operator to do this with npm run tokens.',
  ],
  passkey_unknown: ['passkey_not_found'],
  passkey_exists: ['passkey_conflict'],
  passkey_last: [
    'passkey_conflict',
    'This is the only passkey, and the user has no password. Set a password first.',
  ],
  passkeys_full: ['passkey_conflict', 'The user has 20 passkeys. Remove one first.'],
  report_unknown: ['report_not_found'],
  report_over: ['report_over'],
  block_unknown: ['block_not_found'],
  user_blocked: ['user_blocked'],
  upload_unknown: ['upload_not_found'],
  upload_continued: ['upload_offset_conflict'],
  upload_pieces: [
    'bad_tus_request',
    'The upload has more than 5,000 parts. Start it again with larger requests.',
  ],
  uploads_full: ['uploads_full'],
  uploads_kept: [
    'uploads_full',
    'The account keeps 1,000 uploads or 100 GiB, including uploads that failed. Delete those that are not needed.',
  ],
  uploads_frequent: [
    'too_many_requests',
    'The account has started 100 uploads within an hour. Wait 10 minutes, and send several files as a zip.',
    { headers: { 'retry-after': '600' } },
  ],
  tokens_frequent: [
    'too_many_requests',
    'The account has created or replaced 200 tokens within a day. Wait an hour, and use tokens again.',
    { headers: { 'retry-after': '3600' } },
  ],
  producer_missing: ['producer_missing'],
  set_unknown: ['set_not_found'],
  set_fixed: ['set_conflict'],
  set_returning: [
    'set_conflict',
    'The account is already returning to an earlier version. Wait until that job has ended.',
  ],
  job_unknown: ['job_not_found'],
  job_over: [
    'job_conflict',
    'The job has ended, or it cannot be cancelled: only uploads can be cancelled.',
  ],
  job_running: [
    'job_conflict',
    'The job has not failed and was not cancelled, or its upload was deleted.',
  ],
  job_returning: [
    'job_conflict',
    'The account is already returning to an earlier version. Wait until that job has ended.',
  ],
  job_set_gone: [
    'job_conflict',
    'That version of the charts is no longer stored, or an upload in it was deleted.',
  ],
  account_unknown: limit('does not exist'),
  account_erased: limit('was erased'),
  account_suspended: limit('is suspended'),
  plan_exceeded: limit('has the standard plan'),
  pilot_exceeded: limit('may not use routing'),
  admin_exceeded: limit('may not have tokens with the scope reports:admin'),
};

/** The error of a rule; `undefined` for an unknown code. */
export function ruleError(rule: string): ApiError | undefined {
  const found = RULES[rule];
  return found && new ApiError(...found);
}
