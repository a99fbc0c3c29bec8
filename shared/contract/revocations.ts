// The list of tokens and accounts that were stopped, as the token command publishes it and the edge
// reads it: small, whole, and written anew each time.

import * as z from 'zod';

/** Where the list lies in the key-value store. */
export const REVOCATIONS_KEY = 'revoked-v1';

export const revocationsSchema = z.object({
  /** Ids of tokens that have ended. */
  tokens: z.array(z.string()),
  /** Tokens that end at a time, epoch milliseconds, as another has taken their place. */
  ending: z.record(z.string(), z.number()).default({}),
  suspended: z.array(z.string()),
  /** Least generation of tokens by account. */
  generations: z.record(z.string(), z.number().int()),
});

export type Revocations = z.infer<typeof revocationsSchema>;
