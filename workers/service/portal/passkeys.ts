// Passkeys (WebAuthn, Level 3): adding one, and signing in with one. The authenticator verifies its user by
// a PIN or biometrics, so a passkey counts as both factors and no code is needed.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { base64url } from 'jose';
import {
  MAX_CREDENTIAL_ID_LENGTH,
  type NewPasskey,
  type PasskeyLogin,
} from '../../../shared/contract/passkeys.ts';
import {
  addPasskey,
  findPasskey,
  listPasskeys,
  storeChallenge,
  takeChallenge,
  usePasskey,
} from '../db/passkey-store.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { presenceRequired, sessionTooOld, signInFailed } from '../runtime/portal-errors.ts';
import {
  askAuth,
  authSecretOf,
  credentialsOf,
  HASHING_LIMIT,
  hashed,
  isRejection,
} from './ask-auth.ts';
import { LINK_MS, type Member, type SignedIn, startSession } from './session.ts';

/** Time after signing in within which no password is needed. */
const FRESH_MS = 600_000;
/** Limit of the database. */
const MAX_KEY_BYTES = 3072;
const TO_SIGN_IN = 'sign in';
const toAdd = ({ userId }: Member): string => `add ${userId}`;

/** Its certificates and formats take long to evaluate, and most isolates never need them. */
const webAuthn = () => import('@simplewebauthn/server');

/**
 * Whether the browser sent one of the two statements for the attestation `none`: an empty one, or the signature of
 * the passkey itself (WebAuthn, Level 3, 5.1.3). For others, the library fetches addresses in certificates that the
 * client made. @throws Error for an invalid statement
 */
async function hasNoCertificates({ response }: NewPasskey['credential']): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'));
}

/** The page and the domain that a credential must be made for. */
const siteOf = ({ url }: Request) => {
  const { origin, hostname } = new URL(url);
  return { expectedOrigin: origin, expectedRPID: hostname };
};

/** @throws ApiError 400 without a new session or the password, 503 */
export async function requirePresence(
  request: Request,
  env: Env,
  { startedAt }: Member,
  password: string | undefined,
): Promise<void> {
  if (Date.now() - startedAt < FRESH_MS) return;
  if (password === undefined) throw presenceRequired();
  await askAuth(
    request,
    env,
    (auth) =>
      hashed(request, () =>
        auth.api.verifyPassword({ body: { password }, headers: credentialsOf(request) }),
      ),
    HASHING_LIMIT,
  ).catch((error: unknown) => {
    throw isRejection(error) ? presenceRequired() : error;
  });
}

/**
 * Checks that the session is new. A first password needs no current one, so anyone with an old session could set it.
 * @throws ApiError 400 for an old session, 503
 */
export async function requireNewSession(env: Env, { startedAt, userId }: Member): Promise<void> {
  const age = Date.now() - startedAt;
  if (age < FRESH_MS) return;
  // Without a passkey, a link is the only way to sign in.
  const isByLink = age < LINK_MS && (await listPasskeys(env, userId)).length === 0;
  if (!isByLink) throw sessionTooOld();
}

/** The library throws an `Error` for each reason to reject a credential. */
const rejected =
  (refusal: ApiError) =>
  (error: unknown): never => {
    throw error instanceof ApiError ? error : refusal;
  };

/** The options with which the browser makes a passkey. @throws ApiError 503 */
export async function startPasskey(request: Request, env: Env, member: Member) {
  const { generateRegistrationOptions } = await webAuthn();
  const known = await listPasskeys(env, member.userId);
  const options = await generateRegistrationOptions({
    rpName: 'Leadline',
    rpID: siteOf(request).expectedRPID,
    userName: member.email,
    userID: new Uint8Array(new TextEncoder().encode(member.userId)),
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({
      id,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await storeChallenge(env, options.challenge, toAdd(member));
  return options;
}

/**
 * Stores a passkey that answers a challenge of this user.
 * @returns the id of the passkey
 * @throws ApiError 400 for a wrong answer, 409, 503
 */
export async function confirmPasskey(
  request: Request,
  env: Env,
  member: Member,
  { name, credential }: NewPasskey,
): Promise<string> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...siteOf(request),
    response: { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: async (challenge) =>
      (await takeChallenge(env, challenge, toAdd(member))) && (await hasNoCertificates(credential)),
  }).catch(rejected(new ApiError('passkey_invalid')));
  if (!verified) throw new ApiError('passkey_invalid');
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  if (
    credentialId === '' ||
    publicKey.length > MAX_KEY_BYTES ||
    credentialId.length > MAX_CREDENTIAL_ID_LENGTH
  )
    throw new ApiError('passkey_invalid');
  const id = crypto.randomUUID();
  await addPasskey(env, member.sessionId, {
    ...{ id, name, credentialId, counter },
    publicKey: base64url.encode(publicKey),
    transports: credential.response.transports ?? [],
  });
  return id;
}

/** The options with which the browser signs in. Its user chooses the passkey. @throws ApiError 404, 503 */
export async function startPasskeySignIn(request: Request, env: Env) {
  await authSecretOf(env);
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: siteOf(request).expectedRPID,
    userVerification: 'required',
  });
  await storeChallenge(env, options.challenge, TO_SIGN_IN);
  return options;
}

/** @throws ApiError 401 `sign_in_failed`, 403 for a suspended user or account, 404, 503 */
export async function signInByPasskey(
  request: Request,
  env: Env,
  { credential }: PasskeyLogin,
): Promise<SignedIn> {
  await authSecretOf(env);
  const known = await findPasskey(env, credential.id);
  if (known === undefined) throw signInFailed('passkey');
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...siteOf(request),
    response: { ...credential, clientExtensionResults: {} } as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => takeChallenge(env, challenge, TO_SIGN_IN),
    credential: {
      id: known.credentialId,
      publicKey: new Uint8Array(base64url.decode(known.publicKey)),
      counter: known.counter,
    },
  }).catch(rejected(signInFailed('passkey')));
  const { userHandle } = credential.response;
  const isOwn = userHandle == null || userHandle === base64url.encode(known.userId);
  if (!verified || !isOwn) throw signInFailed('passkey');
  const userId = await usePasskey(env, known.id, authenticationInfo.newCounter);
  if (userId === undefined) throw signInFailed('passkey');
  const started = await startSession(request, env, 'passkey', (auth, headers) =>
    auth.api.startPasskeySession({ body: { userId }, headers, returnHeaders: true }),
  );
  // A reset may have ended the passkey and the sessions just before.
  if ((await findPasskey(env, credential.id)) === undefined) throw signInFailed('passkey');
  return started;
}
