// The second factor: codes of an authenticator app (TOTP, RFC 6238), or recovery codes if the app is lost.
// A one-time link needs no code: only an administrator, or the owner of the account, can make one.

import { takeCode } from '../db/passkey-store.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { outcomeUnknown, passwordWrong, secondFactorLocked } from '../runtime/portal-errors.ts';
import {
  askAuth,
  codeOf,
  credentialsOf,
  HASHING_LIMIT,
  hashed,
  isRejection,
  statusOf,
} from './ask-auth.ts';
import type { Auth } from './auth.ts';

const APP_CODE = /^\d{6}$/;

/**
 * Complete a sign-in whose password was right.
 * @param answer the headers of the library's answer to the password
 * @param take marks a code of the app as used, and returns whether it was unused (RFC 6238, 5.2)
 * @throws ApiError 401 `code_required` or `code_wrong`, 429 after too many wrong codes
 */
export async function passSecondFactor(
  auth: Auth,
  answer: Headers,
  code: string | undefined,
  take: (code: string) => Promise<boolean>,
) {
  if (code === undefined) throw new ApiError('code_required');
  const isOfApp = APP_CODE.test(code);
  if (isOfApp && !(await take(code))) throw new ApiError('code_wrong');
  const cookie = answer
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const headers = new Headers({ cookie });
  const body = { code };
  const verify = isOfApp ? auth.api.verifyTOTP : auth.api.verifyBackupCode;
  return verify({ body, headers, returnHeaders: true }).catch((error: unknown) => {
    if (statusOf(error) === 429) throw secondFactorLocked();
    // The library has made the cookie for this sign-in, and hides errors of the database.
    if (codeOf(error) === 'INVALID_TWO_FACTOR_COOKIE') throw outcomeUnknown();
    throw isRejection(error) ? new ApiError('code_wrong') : error;
  });
}

/**
 * Make a secret and recovery codes. They have an effect after `confirmSecondFactor`.
 * @throws ApiError 400 for a wrong password, 409 if there is a second factor, 503
 */
export async function startSecondFactor(request: Request, env: Env, password: string) {
  const { response } = await askAsMember(request, env, passwordWrong, (auth, headers) =>
    auth.api.enableTwoFactor({ body: { password }, headers, returnHeaders: true }),
  );
  if (response.method !== 'totp') throw new Error('The library made another kind of factor.');
  return { uri: response.totpURI, recoveryCodes: response.backupCodes };
}

/**
 * Require codes from now on. The session is replaced, and the code cannot be used to sign in.
 * @throws ApiError 400 for a wrong code, 409, 503
 */
export async function confirmSecondFactor(
  request: Request,
  env: Env,
  username: string,
  code: string,
) {
  const wrong = () => new ApiError('code_wrong', undefined, { status: 400 });
  const { headers } = await askAsMember(request, env, wrong, (auth, headers) =>
    auth.api.verifyTOTP({ body: { code }, headers, returnHeaders: true }),
  );
  // The factor is on: without an answer the user would lose the new session.
  await takeCode(env, username, code, crypto.randomUUID()).catch(() => false);
  return newSession(headers);
}

/** Require no codes any more. The session is replaced. @throws ApiError 400 for a wrong password, 503 */
export async function endSecondFactor(request: Request, env: Env, password: string) {
  const { headers } = await askAsMember(request, env, passwordWrong, (auth, headers) =>
    auth.api.disableTwoFactor({ body: { password }, headers, returnHeaders: true }),
  );
  return newSession(headers);
}

/** The session that replaces the one of the request, if it was replaced. */
const newSession = (headers: Headers) => ({
  token: headers.get('set-auth-token') ?? undefined,
  cookies: headers.getSetCookie(),
});

/** @param wrong the error for a password or code that the library rejects */
const askAsMember = <T>(
  request: Request,
  env: Env,
  wrong: () => ApiError,
  work: (auth: Auth, headers: Headers) => Promise<T>,
): Promise<T> =>
  askAuth(request, env, (auth) => hashed(request, () => work(auth, credentialsOf(request))), {
    ...HASHING_LIMIT,
    proof: 'code',
  }).catch((error: unknown) => {
    if (/^TOTP_(ALREADY|NOT)_ENABLED$/.test(codeOf(error) ?? '')) {
      throw new ApiError('second_factor_conflict');
    }
    throw isRejection(error) ? wrong() : error;
  });
