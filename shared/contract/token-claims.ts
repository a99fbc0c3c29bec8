// What a token says of its bearer, as signed by the token command and checked at the edge.

import * as z from 'zod';
import { kindOf, PLANS, SCOPES } from './scopes.ts';

/** Clocks of issuer and edge may differ by this much. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** The longest life of a token. */
export const MAX_LIFE_SECONDS = 366 * 86_400;

const claimsSchema = z.object({
  jti: z.string().min(1).max(64),
  acc: z.string().min(1).max(64),
  sub: z.string().min(1).max(128),
  /** pk may be shown in a browser, sk may not. */
  typ: z.enum(['pk', 'sk']),
  plan: z.enum(PLANS),
  pilot: z.boolean().default(false),
  scp: z.array(z.enum(SCOPES)).max(16),
  /** Origins the token may be used from; absent for any. */
  org: z.array(z.string().max(256)).max(16).optional(),
  /** Votes count per end user (`externalUserId`), for tokens kept on servers. */
  ext: z.boolean().default(false),
  /** Generation of the account's tokens; raising the account's minimum ends older ones. */
  gen: z.number().int().nonnegative().default(0),
  iat: z.number().int(),
  exp: z.number().int(),
});

/** A token that says it may be shown, and holds what must not be, is none. */
export const tokenClaimsSchema = claimsSchema.refine(
  ({ typ, scp, ext }) => typ === 'sk' || kindOf(scp, ext) === 'pk',
  { path: ['typ'], message: 'must be sk for these scopes' },
);

export type TokenClaims = z.infer<typeof tokenClaimsSchema>;
