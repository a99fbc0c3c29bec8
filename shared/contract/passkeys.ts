// Requests and responses of the portal API about passkeys (WebAuthn, Level 3). The credentials have the
// form of `PublicKeyCredential.toJSON()`.

import * as z from 'zod';
import { PASSWORD_LENGTH } from './portal.ts';
import { epochMs, NO_CONTROLS } from './units.ts';

/** An id of a credential has at most 1023 bytes (WebAuthn, 4), in base64url. */
export const MAX_CREDENTIAL_ID_LENGTH = 1364;

const base64url = z
  .string()
  .max(8192)
  .regex(/^[\w-]+$/, 'must be base64url');
const transports = z.array(z.string().regex(/^[\w-]{1,32}$/)).max(8);

/** A credential as JSON. @param response fields of the response of the authenticator */
const credentialOf = <T extends z.ZodRawShape>(response: T) =>
  z.object({
    id: base64url.max(MAX_CREDENTIAL_ID_LENGTH).describe('Id of the credential'),
    rawId: base64url.max(MAX_CREDENTIAL_ID_LENGTH).describe('The same as `id`'),
    type: z.literal('public-key').describe('Kind of the credential'),
    response: z
      .object({
        clientDataJSON: base64url.describe('Challenge and origin, as JSON'),
        ...response,
      })
      .describe('The response of the authenticator'),
  });

export const passkeyProofSchema = z
  .object({
    password: z
      .string()
      .max(PASSWORD_LENGTH.most)
      .nullish()
      .describe('The password of the user; not needed within ten minutes of signing in'),
  })
  .meta({ id: 'PasskeyProof', description: 'Proof that the user is present' });

export const newPasskeySchema = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(128)
      .refine(...NO_CONTROLS)
      .describe('Name of the passkey, shown in the list'),
    credential: credentialOf({
      attestationObject: base64url.describe('The public key, as CBOR'),
      transports: transports.optional().describe('How the browser reaches the passkey'),
    }).describe('Result of `navigator.credentials.create`, as JSON'),
  })
  .meta({ id: 'NewPasskey', description: 'A new passkey' });
export type NewPasskey = z.infer<typeof newPasskeySchema>;

export const passkeyLoginSchema = z
  .object({
    credential: credentialOf({
      authenticatorData: base64url.describe('Flags and counter'),
      signature: base64url.describe('The signature'),
      userHandle: base64url.nullish().describe('Id of the user, encoded'),
    }).describe('Result of `navigator.credentials.get`, as JSON'),
  })
  .meta({ id: 'PasskeyLogin', description: 'A signature of a passkey' });
export type PasskeyLogin = z.infer<typeof passkeyLoginSchema>;

export const passkeySchema = z
  .strictObject({
    id: z.string().describe('Id of the passkey'),
    name: z.string().describe('Name of the passkey'),
    createdAt: epochMs.describe('Time when it was added, epoch milliseconds'),
    lastUsedAt: epochMs
      .nullable()
      .describe('Time of the last sign-in with it, epoch milliseconds; `null` if not used yet'),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the user, without its key' });
export type Passkey = z.infer<typeof passkeySchema>;

export const passkeyOptionsSchema = z
  .looseObject({ challenge: base64url.describe('The challenge, valid once for five minutes') })
  .meta({
    id: 'PasskeyOptions',
    description:
      'Options for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`',
  });
