// The functions of the database by which moderators list, delete and restore reports, and block people.

import type {
  ModeratedPage,
  ModeratedReport,
  ReportBlock,
  ReportDetails,
} from '../../../shared/contract/moderation.ts';
import { type Report, stateOf } from '../../../shared/reports/report.ts';
import type { Env } from '../runtime/env.ts';
import { camelCased, resultsOf, runFunction } from './call-portal.ts';

/** Columns of a report that the API names in the same way. */
type SameNames = 'id' | 'reportType' | 'latitude' | 'longitude' | 'properties' | 'accountId';
interface ReportRow
  extends Pick<
      ModeratedReport,
      SameNames | 'externalUserId' | 'createdAt' | 'expiresAt' | 'deletedAt'
    >,
    Pick<Report, 'upvotes' | 'downvotes' | 'expiredAt'> {
  readonly sentId: string | null;
  readonly ownerSubject: string;
}
interface FoundRow {
  readonly block: number | null;
  readonly report: object;
}

function presentReport({ block, report: row }: FoundRow, nowMs: number): ModeratedReport {
  const report = camelCased(row) as ReportRow;
  const { latitude, longitude, properties, accountId, externalUserId } = report;
  const { createdAt, expiresAt, deletedAt } = report;
  return {
    id: report.sentId ?? report.id,
    reportType: report.reportType,
    state: stateOf(report, nowMs),
    ...{ latitude, longitude, properties },
    upvoteCount: report.upvotes,
    downvoteCount: report.downvotes,
    accountId,
    subject: report.ownerSubject,
    externalUserId,
    blockId: block,
    ...{ createdAt, expiresAt, deletedAt },
  };
}

/** Selects reports. A filter that is missing selects every value. */
type ModerationFilter = {
  readonly [name in 'account' | 'type' | 'state' | 'since' | 'until' | 'text']?:
    | string
    | number
    | undefined;
};

/** A page of reports before a report, newest first. @throws ApiError 403, 503 */
export async function listModerated(
  env: Env,
  session: string,
  { account, type, state, since, until, text }: ModerationFilter,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<ModeratedPage> {
  const nowMs = Date.now();
  // As `json`, which keeps the properties as they were sent.
  const rows = await resultsOf<FoundRow & { readonly matches: boolean }>(
    env,
    'portal_list_reports',
    [session, nowMs, account, type, state, since, until, text, before, limit],
    'to_json',
  );
  const last = rows.at(-1);
  const lastId = last && (camelCased(last.report) as ReportRow).id;
  return {
    reports: rows.filter(({ matches }) => matches).map((row) => presentReport(row, nowMs)),
    next: (rows.length === limit || last?.matches === false) && lastId ? lastId : null,
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
  const [found] = await resultsOf<FoundRow & { readonly votes: readonly VoteRow[] }>(
    env,
    'portal_find_report',
    [session, id, mostVotes],
    'to_json',
  );
  return {
    report: presentReport(found!, Date.now()),
    votes: found!.votes.map(({ value, updated_at: at, subject, external_user_id }) => ({
      vote: value > 0 ? 'valid' : 'invalid',
      subject,
      externalUserId: external_user_id,
      at,
    })),
  };
}

/** Delete or restore a report. @throws ApiError 404, 409 if it has expired */
export const setDeleted = (
  env: Env,
  session: string,
  id: string,
  isDeleted: boolean,
): Promise<void> => runFunction(env, 'portal_delete_report', [session, Date.now(), id, isDeleted]);

/** Block the author of a report. @throws ApiError 404, 409 if the author was erased */
export const blockAuthor = (env: Env, session: string, id: string): Promise<void> =>
  runFunction(env, 'portal_block_author', [session, id]);

/** @throws ApiError 404 */
export const unblock = (env: Env, session: string, id: number): Promise<void> =>
  runFunction(env, 'portal_unblock', [session, id]);

/** Blocks before a block, latest first. */
export const listBlocks = (
  env: Env,
  session: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
) => resultsOf<ReportBlock>(env, 'portal_list_blocks', [session, before, limit]);
