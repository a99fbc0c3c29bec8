// The list of revoked tokens and suspended accounts. The token command publishes the complete list.
// The service reads it.

import * as z from 'zod';

/** Key of the list in the key-value store. */
export const REVOCATIONS_KEY = 'revoked-v1';

export const revocationsSchema = z.object({
  /** Ids of revoked tokens. */
  tokens: z.array(z.string()),
  /** Replaced tokens by id, with the time when they end in epoch milliseconds. */
  ending: z.record(z.string(), z.number()).default({}),
  suspended: z.array(z.string()),
  /** Minimum generation of valid tokens by account. */
  generations: z.record(z.string(), z.number().int()),
  /** Accounts that may have charts of their own. */
  charts: z.array(z.string()).default([]),
});

export type Revocations = z.infer<typeof revocationsSchema>;
