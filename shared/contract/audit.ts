// The audit trail: what administrators and users of the portal did.

import * as z from 'zod';
import { epochMs } from './units.ts';

export const MAX_AUDIT_ENTRIES_PER_PAGE = 100;

export const auditEntrySchema = z
  .strictObject({
    id: z.number().int().min(1).describe('Id of the entry; later entries have higher ids'),
    at: epochMs.describe('Time of the action, epoch milliseconds'),
    actor: z
      .string()
      .describe('`user:` and the id of a user, `token:` and the id of a token, or an operator'),
    act: z.string().describe('The action, such as `token mint` or `account suspend`'),
    accountId: z.string().nullable().describe('Id of the account that was changed'),
    tokenId: z.string().nullable().describe('Id of the token that was changed'),
    detail: z.record(z.string(), z.unknown()).describe('Ids and settings; no personal data'),
  })
  .meta({ id: 'AuditEntry', description: 'An action in the audit trail' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;
