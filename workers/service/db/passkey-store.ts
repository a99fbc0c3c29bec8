// Passkeys of portal users, the challenges of their ceremonies, and the codes that were used.

import type { Passkey } from '../../../shared/contract/passkeys.ts';
import type { Env } from '../runtime/env.ts';
import { sha256 } from '../runtime/sha256.ts';
import { callPortal, resultsOf, runFunction } from './call-portal.ts';

/** A passkey with what verifies its signatures. */
interface PasskeyRow {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** The passkeys of a user, oldest first. */
export const listPasskeys = (
  env: Env,
  userId: string,
): Promise<(Passkey & Pick<PasskeyRow, 'credentialId' | 'transports'>)[]> =>
  callPortal(
    env,
    `SELECT id, name, created_at::float8 AS "createdAt", last_used_at::float8 AS "lastUsedAt",
       credential_id AS "credentialId", transports
     FROM portal_passkey WHERE user_id = $1 ORDER BY portal_passkey.created_at, id`,
    [userId],
  );

export async function findPasskey(env: Env, credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await callPortal<PasskeyRow>(
    env,
    `SELECT id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey",
       counter::float8 AS counter, transports
     FROM portal_passkey WHERE credential_id = $1`,
    [credentialId],
  );
  return row;
}

/** @param passkey.id made by the caller, the same in every attempt. @throws ApiError 409 */
export const addPasskey = (
  env: Env,
  session: string,
  passkey: Omit<PasskeyRow, 'userId'> & { readonly name: string },
): Promise<void> =>
  runFunction(env, 'portal_add_passkey', [
    ...[session, passkey.id, passkey.name, passkey.credentialId, passkey.publicKey],
    ...[passkey.counter, passkey.transports],
  ]);

/** @throws ApiError 404 */
export const removePasskey = (env: Env, session: string, id: string): Promise<void> =>
  runFunction(env, 'portal_remove_passkey', [session, id]);

/** Records a verified sign-in. @returns the id of the user; `undefined` if the passkey was removed or copied */
export async function usePasskey(
  env: Env,
  id: string,
  counter: number,
): Promise<string | undefined> {
  const [userId] = await resultsOf<string>(env, 'use_passkey', [id, counter], 'to_jsonb', {
    isOnce: true,
  });
  return userId;
}

const CHALLENGE_MS = 300_000;

/** @param purpose who may use the challenge, and for what */
export async function storeChallenge(env: Env, challenge: string, purpose: string): Promise<void> {
  const now = Date.now();
  await callPortal(
    env,
    `INSERT INTO portal_challenge (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $1, $2, $3, $4, $4) ON CONFLICT (id) DO NOTHING`,
    [`passkey ${challenge}`, purpose, now + CHALLENGE_MS, now],
  );
}

/** Ends a challenge. @returns whether it was valid for this purpose */
export async function takeChallenge(
  env: Env,
  challenge: string,
  purpose: string,
): Promise<boolean> {
  const rows = await callPortal(
    env,
    'DELETE FROM portal_challenge WHERE id = $1 AND value = $2 AND expires_at > $3 RETURNING id',
    [`passkey ${challenge}`, purpose, Date.now()],
    { isOnce: true },
  );
  return rows.length > 0;
}

/** Longer than an authenticator app and its clock show a code for. */
const CODE_MS = 120_000;

/**
 * Marks a code of the second factor as used for two minutes.
 * @param attempt id of the attempt to sign in: a repeated statement has the same result
 * @returns whether no other attempt has used it
 */
export async function takeCode(
  env: Env,
  address: string,
  code: string,
  attempt: string,
): Promise<boolean> {
  const now = Date.now();
  const user = address.trim().toLowerCase();
  const id = `code ${await sha256(new TextEncoder().encode(`${user} ${code}`))}`;
  await callPortal(env, 'DELETE FROM portal_challenge WHERE id = $1 AND expires_at <= $2', [
    ...[id, now],
  ]);
  await callPortal(
    env,
    `INSERT INTO portal_challenge (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $1, $2, $3, $4, $4) ON CONFLICT (id) DO NOTHING`,
    [id, attempt, now + CODE_MS, now],
  );
  const rows = await callPortal(
    env,
    'SELECT id FROM portal_challenge WHERE id = $1 AND value = $2',
    [...[id, attempt]],
  );
  return rows.length > 0;
}
