// Requests and responses of the portal API about the accounts of the service.

import * as z from 'zod';
import { PLANS } from './scopes.ts';
import { ACCOUNT_ID } from './token-claims.ts';
import { count, epochMs } from './units.ts';

export const MAX_ACCOUNTS_PER_PAGE = 100;
/** Users and tokens are counted up to this number. */
const MAX_COUNT = 10_000;

const plan = z.enum(PLANS);

export const newAccountSchema = z
  .object({
    id: z
      .string()
      .regex(
        ACCOUNT_ID,
        'must have 1 to 64 characters: a–z, 0–9, dot, dash or underscore. The first must be a letter or digit',
      )
      .describe('Id of the account. Tokens contain it. It cannot be changed'),
    plan: plan.nullish().describe('Plan of the account; `standard` by default'),
    pilot: z
      .boolean()
      .nullish()
      .describe('Whether new tokens of the account may plan routes; `false` by default'),
    admin: z
      .boolean()
      .nullish()
      .describe(
        'Whether new tokens of the account may have the scope `reports:admin`; `false` by default',
      ),
  })
  .meta({ id: 'NewAccount', description: 'A new account' });

export const accountChangeSchema = z
  .object({
    plan: plan.nullish().describe('The new plan'),
    pilot: z.boolean().nullish().describe('Whether new tokens of the account may plan routes'),
    admin: z
      .boolean()
      .nullish()
      .describe('Whether new tokens of the account may have the scope `reports:admin`'),
    suspended: z
      .boolean()
      .nullish()
      .describe('Whether the account is suspended; its tokens are then rejected'),
  })
  .meta({ id: 'AccountChange', description: 'The fields to change' });

export const accountSchema = z
  .strictObject({
    id: z.string().describe('Id of the account'),
    plan: plan.describe('Plan of the account'),
    pilot: z.boolean().describe('Whether new tokens of the account may plan routes'),
    admin: z
      .boolean()
      .describe('Whether new tokens of the account may have the scope `reports:admin`'),
    createdAt: epochMs.describe('Time of creation, epoch milliseconds'),
    suspendedAt: epochMs
      .nullable()
      .describe('Time of the suspension, epoch milliseconds; `null` if not suspended'),
    erasedAt: epochMs
      .nullable()
      .describe('Time of the erasure, epoch milliseconds; `null` if not erased'),
    users: count
      .max(MAX_COUNT)
      .describe('Number of users of the portal; 10000 if there are 10,000 or more'),
    tokens: count
      .max(MAX_COUNT)
      .describe(
        'Number of tokens that are neither revoked nor expired; 10000 if there are 10,000 or more',
      ),
    requests30Days: count.describe('Number of requests in the last 30 days'),
  })
  .meta({ id: 'Account', description: 'An account and its usage' });
export type PortalAccount = z.infer<typeof accountSchema>;
