// The erasure of a person's data: requests and responses of the portal.

import * as z from 'zod';
import { ACCOUNT_ID } from './token-claims.ts';
import { count, endUserId, NO_CONTROLS } from './units.ts';

export const personSchema = z
  .object({
    account: z
      .string()
      .regex(ACCOUNT_ID, 'must be the id of an account')
      .describe(
        'Account of the person. If the other fields are absent, all data of the account are erased',
      ),
    subject: z
      .string()
      .min(1)
      .max(128)
      .refine(...NO_CONTROLS)
      .nullish()
      .describe('Subject of the tokens of the person; `member:` and the id for a user'),
    externalUserId: endUserId
      .min(1)
      .nullish()
      .describe('Id of an end user of the account or the subject, exactly as in the requests'),
  })
  .meta({ id: 'Person', description: 'The person whose data are listed or erased' });

export const tracesSchema = z
  .strictObject({
    reports: count.describe('Number of reports. They are kept without text and owner'),
    votes: count.describe('Number of votes. They are kept under a random name'),
    tracks: count.describe('Number of tracks of soundings. They are deleted'),
    tokens: count.describe(
      'Number of tokens, including those that were revoked or have expired. All are revoked and lose their names',
    ),
    styles: count.describe('Number of saved styles. They are deleted with their account'),
    blocks: count.describe('Number of blocks of reports and votes. They are deleted'),
    users: count.describe('Number of users of the portal. They are deleted'),
  })
  .meta({ id: 'Traces', description: 'Numbers of stored objects of a person' });
export type Traces = z.infer<typeof tracesSchema>;

export const erasedSchema = z
  .strictObject({
    before: tracesSchema.describe('The data before the erasure'),
    after: tracesSchema.describe('The data that remain'),
  })
  .meta({ id: 'Erased', description: 'The data before and after the erasure' });
export type Erased = z.infer<typeof erasedSchema>;
