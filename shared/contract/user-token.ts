// Tokens of end users, which go beside the token of an account: who is asked for, and what a token says.

import * as z from 'zod';
import { examine } from './examine.ts';
import { faultsOf } from './faults.ts';
import { type Fault, hasUnstorable } from './plain-json.ts';
import { ACCOUNT_ID, isSubjectText } from './token-claims.ts';

/** The header of a request that speaks for an end user. */
export const USER_TOKEN_HEADER = 'leadline-user';

/** So that no other token is taken for one. */
export const USER_TOKEN_AUDIENCE = 'leadline-user';

const DAY_SECONDS = 86_400;
/** Of a device's token: one that is lost cannot be had again, so it lasts. */
export const DEVICE_TOKEN_SECONDS = 366 * DAY_SECONDS;
const USER_TOKEN_SECONDS = { usual: 3600, least: 60, most: DAY_SECONDS } as const;

/** With what stands before it, it must fit into a subject. */
const MAX_USER_CHARACTERS = 120;

export const userTokenClaimsSchema = z.object({
  acc: z.string().regex(ACCOUNT_ID),
  /** `device:` and a random id, or `user:` and what the account calls its user. */
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
export const userTokenRequestSchema = z.object({
  externalUserId: z
    .string()
    .min(1)
    .max(MAX_USER_CHARACTERS)
    .refine(isSubjectText, 'must not contain control characters or unpaired surrogates')
    .nullish(),
  expiresInSeconds: z
    .number()
    .int()
    .min(USER_TOKEN_SECONDS.least)
    .max(USER_TOKEN_SECONDS.most)
    .nullish(),
});

export const userTokenSchema = z.strictObject({
  userToken: z.string(),
  /** Epoch milliseconds. */
  expiresAt: z.number().int(),
});

export interface UserTokenRequest {
  /** What the account calls its user; undefined for a device that stays anonymous. */
  readonly externalUserId: string | undefined;
  readonly expiresInSeconds: number;
}

/** A body as a request, or every fault in it by its path. */
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
