// The claims of a token.

import * as z from 'zod';
import { hasUnstorable } from './plain-json.ts';
import { kindOf, PLANS, SCOPES, type Scope } from './scopes.ts';
import { isPlain } from './units.ts';

/** Maximum clock difference between issuer and service. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** Maximum lifetime of a token that expires. */
export const MAX_LIFE_SECONDS = 366 * 86_400;

/** The largest `integer` of PostgreSQL. */
const MAX_GENERATION = 2 ** 31 - 1;
/** The end of the year 9999: ISO 8601 years have four digits. */
const MAX_TIME_SECONDS = 253_402_300_799;

/** The id of an account. */
export const ACCOUNT_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** A token's id: printable ASCII. Leadline uses UUIDs; issuers with a shared secret need not. */
const TOKEN_ID = /^[\x21-\x7e]{1,64}$/;

/** Whether a text can be a subject: storable characters without control characters. */
export const isSubjectText = (value: string): boolean => isPlain(value);

/** Seconds since 1970. */
const time = z.number().int().min(0).max(MAX_TIME_SECONDS);

const claimsSchema = z.object({
  jti: z.string().regex(TOKEN_ID, 'must be 1 to 64 printable ASCII characters'),
  acc: z.string().regex(ACCOUNT_ID, 'must be the id of an account'),
  sub: z
    .string()
    .min(1)
    .max(128)
    .refine(isSubjectText, 'must not contain control characters or unpaired surrogates'),
  /** `pk`: public, may be used in a browser. `sk`: secret. */
  typ: z.enum(['pk', 'sk']),
  plan: z.enum(PLANS),
  pilot: z.boolean().default(false),
  scp: z.array(z.enum(SCOPES)).max(16),
  /** Origins the token may be used from; absent for any. */
  org: z
    .array(
      z
        .string()
        .max(256)
        .refine((value) => !hasUnstorable(value), 'must not contain NUL or unpaired surrogates'),
    )
    .max(16)
    .optional(),
  /** Whether votes count per end user (`externalUserId`); for tokens on servers. */
  ext: z.boolean().default(false),
  /** Generation of the account's tokens; raising the account's minimum revokes older tokens. */
  gen: z.number().int().min(0).max(MAX_GENERATION).default(0),
  iat: time,
  /** Absent only if `mayLastForever`, or from an opaque token. */
  exp: time.optional(),
});

/**
 * Whether a token with these rights may have no expiry: a public token that is restricted to
 * origins. Every visitor of those pages can read it anyway, and an app that contains it cannot
 * replace it.
 */
export const mayLastForever = (
  scopes: readonly Scope[],
  votesForUsers: boolean,
  origins: readonly string[],
): boolean => kindOf(scopes, votesForUsers) === 'pk' && origins.length > 0;

/**
 * Claims of an opaque token. It may have no expiry, because every opaque token is in the registry,
 * which can revoke it. Rejects public tokens with a secret-only scope.
 */
export const opaqueClaimsSchema = claimsSchema.refine(
  ({ typ, scp, ext }) => typ === 'sk' || kindOf(scp, ext) === 'pk',
  { path: ['typ'], message: 'must be sk for these scopes' },
);

/** The claims that a request for a token states. */
export const requestedClaimsSchema = claimsSchema.pick({ sub: true, scp: true, org: true });

/** Claims of a signed token. Also rejects tokens without a required expiry. */
export const tokenClaimsSchema = opaqueClaimsSchema.refine(
  ({ exp, typ, scp, ext, org = [] }) =>
    exp !== undefined || (typ === 'pk' && mayLastForever(scp, ext, org)),
  {
    path: ['exp'],
    message: 'may be absent only from a public token that is restricted to origins',
  },
);

export type TokenClaims = z.infer<typeof tokenClaimsSchema>;
