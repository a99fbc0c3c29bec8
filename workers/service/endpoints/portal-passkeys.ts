// /api/portal/v1/user/passkeys and /auth/passkey: add, list and remove passkeys, and sign in with one.

import * as z from 'zod';
import {
  newPasskeySchema,
  type Passkey,
  passkeyLoginSchema,
  passkeyOptionsSchema,
  passkeyProofSchema,
  passkeySchema,
} from '../../../shared/contract/passkeys.ts';
import { listPasskeys, removePasskey } from '../db/passkey-store.ts';
import { idParameter, jsonAnswer } from '../http/endpoint.ts';
import { limitSignIns } from '../http/rate-limit.ts';
import {
  confirmPasskey,
  requirePresence,
  signInByPasskey,
  startPasskey,
  startPasskeySignIn,
} from '../portal/passkeys.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { signedIn, signInAnswers } from './portal-auth.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const PATH = `${PORTAL_PATH}/user/passkeys`;
const PASSKEY: Passkey = {
  id: '0b9d4c1e-6f0a-4f6e-9a53-2c1f6f7f3c55',
  name: 'Laptop',
  createdAt: 1_764_547_200_000,
  lastUsedAt: null,
};
const CREDENTIAL = { id: 'q83vEjRWeJA', rawId: 'q83vEjRWeJA', type: 'public-key' } as const;
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';
const options = (what: string, example: object) =>
  jsonAnswer(
    `Options for ${what}, and a challenge that is valid once for five minutes`,
    passkeyOptionsSchema,
    example,
  );
const proofBody = {
  schema: passkeyProofSchema,
  description: 'The password of the user, if the session is older than ten minutes',
  example: { password: 'seven grey herons' },
} as const;

export const portalPasskeys = [
  portalEndpoint({
    method: 'post',
    path: `${PORTAL_PATH}/auth/passkey`,
    id: 'portalStartPasskeyLogin',
    summary: 'Starts to sign in with a passkey.',
    description:
      'Pass the response to `navigator.credentials.get` and send its result to `/auth/loginByPasskey`.',
    access: { kind: 'public' },
    answers: {
      200: options('`navigator.credentials.get`', {
        challenge: 'Zk1pQ3c3TG1OaHF2M1Q4c1hieg',
        rpId: 'charts.example',
        userVerification: 'required',
        timeout: 60_000,
      }),
      404: signInAnswers[404],
      429: signInAnswers[429],
    },
    handle: async ({ c }) => {
      await limitSignIns(c);
      return startPasskeySignIn(c.req.raw, c.env);
    },
  }),
  portalEndpoint({
    method: 'post',
    path: `${PORTAL_PATH}/auth/loginByPasskey`,
    id: 'portalLoginByPasskey',
    summary: 'Signs a user in with a passkey.',
    description:
      'The browser verifies the user by a PIN or biometrics, so users with a second factor need no code. Users of a suspended account are rejected (`account_limit`).',
    access: { kind: 'public' },
    body: {
      schema: passkeyLoginSchema,
      description: 'Result of `navigator.credentials.get`',
      example: {
        credential: {
          ...CREDENTIAL,
          response: {
            clientDataJSON: CLIENT_DATA,
            authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
            signature: 'MEUCIQDc',
          },
        },
      },
    },
    answers: {
      ...signInAnswers,
      401: {
        description:
          'The passkey is unknown or was removed, or the challenge or signature is wrong',
        error: 'sign_in_failed',
      },
    },
    handle: async ({ c, body }) => {
      await limitSignIns(c);
      return signedIn(c, signInByPasskey(c.req.raw, c.env, body));
    },
  }),
  portalEndpoint({
    access: 'member',
    method: 'get',
    path: PATH,
    id: 'portalListPasskeys',
    summary: 'Lists the passkeys of the user, oldest first.',
    description: 'The response contains no keys.',
    answers: { 200: jsonAnswer('The passkeys', z.array(passkeySchema), [PASSKEY]) },
    handle: async ({ env, member: { userId } }) => (await listPasskeys(env, userId)).map(present),
  }),
  portalEndpoint({
    access: 'member',
    method: 'post',
    path: `${PATH}/start`,
    id: 'portalStartPasskey',
    summary: 'Starts to add a passkey.',
    description:
      'Pass the response to `navigator.credentials.create` and send its result to `/user/passkeys`.',
    body: proofBody,
    answers: {
      200: options('`navigator.credentials.create`', {
        challenge: 'aHF2M1Q4c1hielprMXBRM3c3TG1O',
        rp: { id: 'charts.example', name: 'Leadline' },
      }),
    },
    handle: async ({ c, env, member, body: { password } }) => {
      await limitSignIns(c, `password ${member.userId}`);
      await requirePresence(c.req.raw, env, member, password ?? undefined);
      return startPasskey(c.req.raw, env, member);
    },
  }),
  portalEndpoint({
    access: 'member',
    method: 'post',
    path: PATH,
    id: 'portalAddPasskey',
    summary: 'Adds a passkey.',
    description:
      'The user can sign in with it from now on. A new sign-in link of an owner or administrator removes all passkeys of a user.',
    body: {
      schema: newPasskeySchema,
      description: 'Name, and result of `navigator.credentials.create`',
      example: {
        name: PASSKEY.name,
        credential: {
          ...CREDENTIAL,
          response: { clientDataJSON: CLIENT_DATA, attestationObject: 'o2NmbXRkbm9uZQ' },
        },
      },
    },
    answers: {
      201: jsonAnswer('The passkey', passkeySchema, PASSKEY),
      400: {
        description:
          'The credential does not fit the challenge, or a field is invalid (`bad_portal_request`)',
        error: 'passkey_invalid',
      },
      409: { description: 'The passkey is in use, or the user has 20', error: 'passkey_conflict' },
    },
    handle: async ({ c, env, member, body }) =>
      passkeyOf(env, member.userId, await confirmPasskey(c.req.raw, env, member, body)),
  }),
  portalEndpoint({
    access: 'member',
    method: 'post',
    path: `${PATH}/{id}/remove`,
    id: 'portalRemovePasskey',
    summary: 'Removes a passkey.',
    description: 'It no longer signs in. Sessions do not end.',
    pathParameter: idParameter('Id of a passkey of the user', PASSKEY.id),
    body: proofBody,
    answers: {
      204: { description: 'Removed' },
      404: { description: 'The user has no passkey with this id', error: 'passkey_not_found' },
      409: {
        description: 'It is the only passkey of a user without a password',
        error: 'passkey_conflict',
      },
    },
    handle: async ({ c, env, member, sessionId, id, body: { password } }) => {
      await limitSignIns(c, `password ${member.userId}`);
      await requirePresence(c.req.raw, env, member, password ?? undefined);
      await removePasskey(env, sessionId, id);
    },
  }),
];

const present = ({ id, name, createdAt, lastUsedAt }: Passkey): Passkey => ({
  ...{ id, name, createdAt, lastUsedAt },
});

/** @throws ApiError 404 if it was removed meanwhile */
async function passkeyOf(env: Env, userId: string, id: string): Promise<Passkey> {
  const found = (await listPasskeys(env, userId)).find((one) => one.id === id);
  if (found === undefined) throw new ApiError('passkey_not_found');
  return present(found);
}
