// The body of every error response (RFC 9457, with extensions).

import * as z from 'zod';

export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  /** Stable, unlike the texts. */
  code: z.string(),
  requestId: z.string(),
  error: z.string(),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .max(10)
    .optional(),
});
