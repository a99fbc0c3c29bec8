// The audit trail, through a function of the database that requires an administrator.

import type { AuditEntry } from '../../../shared/contract/audit.ts';
import type { Env } from '../runtime/env.ts';
import { callPortal } from './portal-store.ts';

/** Selects entries. `undefined` selects every value. */
interface AuditFilter {
  readonly account?: string | undefined;
  readonly actor?: string | undefined;
  readonly act?: string | undefined;
}

/** A page of entries: those before an entry. */
interface AuditPage extends AuditFilter {
  readonly before?: number | undefined;
  readonly limit: number;
}

interface ActRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly act: string;
  readonly account_id: string | null;
  readonly token_id: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A page of the audit trail, newest first. @throws ApiError 403, 503 */
export async function listActs(
  env: Env,
  session: string,
  { account, actor, act, before, limit }: AuditPage,
): Promise<AuditEntry[]> {
  const rows = await callPortal<{ one: ActRow }>(
    env,
    'SELECT to_jsonb(listed) AS one FROM portal_list_acts($1, $2, $3, $4, $5, $6) AS listed',
    [session, account ?? null, actor ?? null, act ?? null, before ?? null, limit],
  );
  return rows.map(({ one: { account_id, token_id, ...entry } }) => ({
    ...entry,
    accountId: account_id,
    tokenId: token_id,
  }));
}
