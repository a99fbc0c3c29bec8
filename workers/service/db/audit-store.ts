// The audit trail, through a function of the database that requires an administrator.

import type { AuditEntry } from '../../../shared/contract/audit.ts';
import type { Env } from '../runtime/env.ts';
import { resultsOf } from './call-portal.ts';

/** A page of entries: those before an entry. A filter that is missing selects every value. */
interface AuditPage {
  readonly account: string | undefined;
  readonly actor: string | undefined;
  readonly act: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** A page of the audit trail, newest first. @throws ApiError 403, 503 */
export const listActs = (
  env: Env,
  session: string,
  { account, actor, act, before, limit }: AuditPage,
): Promise<AuditEntry[]> =>
  resultsOf(env, 'portal_list_acts', [session, account, actor, act, before, limit]);
