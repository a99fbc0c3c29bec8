// User tokens, which clients send in addition to the account's token: the request and the claims.

import * as z from 'zod';
import { examine } from './examine.ts';
import { faultsOf } from './faults.ts';
import { type Fault, hasUnstorable } from './plain-json.ts';
import { ACCOUNT_ID, isSubjectText } from './token-claims.ts';
import { epochMs } from './units.ts';

/** Request header with the user token. */
export const USER_TOKEN_HEADER = 'leadline-user';

/** Distinguishes user tokens from other tokens. */
export const USER_TOKEN_AUDIENCE = 'leadline-user';

const DAY_SECONDS = 86_400;
/** Lifetime of a token for a device, which is long because it cannot be replaced. */
export const DEVICE_TOKEN_SECONDS = 366 * DAY_SECONDS;
const USER_TOKEN_SECONDS = { usual: 3600, least: 60, most: DAY_SECONDS } as const;

/** With its prefix it must fit into a subject. */
const MAX_USER_CHARACTERS = 120;

export const userTokenClaimsSchema = z.object({
  acc: z.string().regex(ACCOUNT_ID),
  /** `device:` and a random id, or `user:` and the account's id of the user. */
  sub: z
    .string()
    .regex(/^(device|user):/)
    .max(128)
    .refine((value) => !hasUnstorable(value)),
  iat: z.number().int(),
  exp: z.number().int(),
});

export type UserTokenClaims = z.infer<typeof userTokenClaimsSchema>;

/** `null` counts as absent. */
export const userTokenRequestSchema = z
  .object({
    externalUserId: z
      .string()
      .min(1)
      .max(MAX_USER_CHARACTERS)
      .refine(isSubjectText, 'must not contain control characters or unpaired surrogates')
      .nullish()
      .describe('Your id of the user; without it the token is for an anonymous device'),
    expiresInSeconds: z
      .number()
      .int()
      .min(USER_TOKEN_SECONDS.least)
      .max(USER_TOKEN_SECONDS.most)
      .nullish()
      .describe('Lifetime in seconds; default one hour, or 366 days for a device'),
  })
  .meta({ id: 'UserTokenRequest', description: 'The user that the token is for' });

export const userTokenSchema = z
  .strictObject({
    userToken: z.string().describe(`The token, for the header \`${USER_TOKEN_HEADER}\``),
    expiresAt: epochMs.describe('Time of expiry, epoch milliseconds'),
  })
  .meta({ id: 'UserToken', description: 'A token for an end user' });

export interface UserTokenRequest {
  /** The account's id of the user; `undefined` for an anonymous device. */
  readonly externalUserId: string | undefined;
  readonly expiresInSeconds: number;
}

/** Parses a body or returns all its faults. */
export function readUserTokenRequest(
  body: Readonly<Record<string, unknown>>,
): UserTokenRequest | { readonly faults: readonly Fault[] } {
  const parsed = examine(userTokenRequestSchema, body);
  if (!parsed.success) {
    return { faults: faultsOf(parsed.error) };
  }
  const { externalUserId, expiresInSeconds } = parsed.data;
  const usual = externalUserId == null ? DEVICE_TOKEN_SECONDS : USER_TOKEN_SECONDS.usual;
  return {
    externalUserId: externalUserId ?? undefined,
    expiresInSeconds: expiresInSeconds ?? usual,
  };
}
