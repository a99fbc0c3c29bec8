// The body of every error response (RFC 9457, with extensions).

import * as z from 'zod';

const faultSchema = z.object({
  path: z
    .string()
    .describe('The field, such as `vessel.draft`, or the parameter; empty for the whole body'),
  message: z.string().describe('What is wrong with it, such as `must be a number`'),
});

export const problemSchema = z
  .looseObject({
    type: z.string().describe('Address of the description of `code`, relative to the service'),
    title: z.string().describe('The meaning of the status, such as `Bad request`'),
    status: z.number().int().min(400).max(599).describe('The HTTP status'),
    detail: z.string().describe('What happened and what to do, as a sentence'),
    code: z.string().describe('Identifies the kind of error; stable, unlike the texts'),
    requestId: z.string().describe('Identifies the request in the log of the service'),
    error: z.string().describe('The same text as `detail`'),
    errors: z
      .array(faultSchema)
      .max(10)
      .optional()
      .describe('The invalid fields and parameters, at most 10; absent for other errors'),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457) with a stable `code`' });
