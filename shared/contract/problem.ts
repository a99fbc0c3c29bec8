// The body of every refusal (RFC 9457), with what Leadline adds to it.

import * as z from 'zod';

export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  /** Stable; the texts are not. */
  code: z.string(),
  requestId: z.string(),
  error: z.string(),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .max(10)
    .optional(),
});
