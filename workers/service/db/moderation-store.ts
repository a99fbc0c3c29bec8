// The functions of the database by which moderators list, delete and restore reports, and block people.

import type {
  ModeratedPage,
  ModeratedReport,
  ReportBlock,
  ReportDetails,
} from '../../../shared/contract/moderation.ts';
import { type ReportKind, stateOf } from '../../../shared/reports/report.ts';
import type { Env } from '../runtime/env.ts';
import { callPortal } from './portal-store.ts';

interface ReportRow {
  readonly id: string;
  readonly sent_id: string | null;
  readonly account_id: string;
  readonly owner_subject: string;
  readonly external_user_id: string | null;
  readonly report_type: ReportKind;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: Record<string, unknown>;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly expired_at: number | null;
  readonly deleted_at: number | null;
}
interface FoundRow {
  readonly block: number | null;
  readonly report: ReportRow;
}

const presentReport = ({ block, report }: FoundRow, nowMs: number): ModeratedReport => {
  const { expires_at: expiresAt, expired_at: expiredAt, deleted_at: deletedAt } = report;
  return {
    id: report.sent_id ?? report.id,
    reportType: report.report_type,
    state: stateOf({ expiresAt, expiredAt, deletedAt }, nowMs),
    latitude: report.latitude,
    longitude: report.longitude,
    properties: report.properties,
    upvoteCount: report.upvotes,
    downvoteCount: report.downvotes,
    accountId: report.account_id,
    subject: report.owner_subject,
    externalUserId: report.external_user_id,
    blockId: block,
    createdAt: report.created_at,
    expiresAt,
    deletedAt,
  };
};

/** Selects reports. `undefined` selects every value. */
export interface ModerationFilter {
  readonly account?: string | undefined;
  readonly type?: string | undefined;
  readonly state?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly text?: string | undefined;
}

/** A page of reports before a report, newest first. @throws ApiError 403, 503 */
export async function listModerated(
  env: Env,
  session: string,
  { account, type, state, since, until, text }: ModerationFilter,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<ModeratedPage> {
  const nowMs = Date.now();
  // As `json`, which keeps the properties as they were sent.
  const rows = await callPortal<{ one: FoundRow & { readonly matches: boolean } }>(
    env,
    'SELECT to_json(listed) AS one FROM portal_list_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS listed',
    [
      ...[session, nowMs, account ?? null, type ?? null, state ?? null, since ?? null],
      ...[until ?? null, text ?? null, before ?? null, limit],
    ],
  );
  const last = rows.at(-1)?.one;
  return {
    reports: rows.filter(({ one }) => one.matches).map(({ one }) => presentReport(one, nowMs)),
    next: last !== undefined && (rows.length === limit || !last.matches) ? last.report.id : null,
  };
}

interface VoteRow {
  readonly value: number;
  readonly updated_at: number;
  readonly subject: string | null;
  readonly external_user_id: string | null;
}

/** @param mostVotes number of votes, latest first. @throws ApiError 404 */
export async function findModerated(
  env: Env,
  session: string,
  id: string,
  mostVotes: number,
): Promise<ReportDetails> {
  const [row] = await callPortal<{ one: FoundRow & { readonly votes: readonly VoteRow[] } }>(
    env,
    'SELECT to_json(found) AS one FROM portal_find_report($1, $2, $3) AS found',
    [session, id, mostVotes],
  );
  const { one } = row!;
  return {
    report: presentReport(one, Date.now()),
    votes: one.votes.map(({ value, updated_at, subject, external_user_id }) => ({
      vote: value > 0 ? 'valid' : 'invalid',
      subject,
      externalUserId: external_user_id,
      at: updated_at,
    })),
  };
}

/** Delete or restore a report. @throws ApiError 404, 409 if it has expired */
export async function setDeleted(
  env: Env,
  session: string,
  id: string,
  isDeleted: boolean,
): Promise<void> {
  const values = [session, Date.now(), id, isDeleted];
  await callPortal(env, 'SELECT portal_delete_report($1, $2, $3, $4)', values);
}

/** Block the author of a report. @throws ApiError 404, 409 if the author was erased */
export async function blockAuthor(env: Env, session: string, id: string): Promise<void> {
  await callPortal(env, 'SELECT portal_block_author($1, $2)', [session, id]);
}

/** @throws ApiError 404 */
export async function unblock(env: Env, session: string, id: number): Promise<void> {
  await callPortal(env, 'SELECT portal_unblock($1, $2)', [session, id]);
}

/** Blocks before a block, latest first. */
export async function listBlocks(
  env: Env,
  session: string,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<ReportBlock[]> {
  const rows = await callPortal<{ one: ReportBlock }>(
    env,
    `SELECT json_build_object('id', id, 'accountId', account_id, 'kind', kind, 'name', name,
      'createdAt', created_at) AS one FROM portal_list_blocks($1, $2, $3)`,
    [session, before ?? null, limit],
  );
  return rows.map(({ one }) => one);
}
