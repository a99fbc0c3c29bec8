// Reports and votes in the database. Each request calls one database function. A retry finds the
// result of its first attempt by the write's id.

import type { Cursor, ReportFilter, ReportQuery } from '../../../shared/contract/report-list.ts';
import type { PageQuery } from '../../../shared/contract/report-pages.ts';
import { placeOf, stretchesOf } from '../../../shared/reports/place.ts';
import type {
  Outcome,
  Party,
  Report,
  ReportKind,
  Vote,
  VoteRules,
} from '../../../shared/reports/report.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { readDatabase, writeDatabase } from './ask-database.ts';
import type { Database } from './client.ts';
import { type Creation, type CreationRow, creationOf, type Keyed } from './creation.ts';

/** A request that changes something. */
export interface WriteContext {
  /** A UUID that the service generates for each request. */
  readonly writeId: string;
  readonly nowMs: number;
  readonly caller: Caller;
}

/** The first arguments of every function that writes. */
const firstOf = ({ writeId, nowMs, caller }: WriteContext) => [
  writeId,
  nowMs,
  caller.tokenId,
  caller.account,
  caller.generation,
  caller.subject,
];

/** The outcome of a request, with the current report if it exists. */
type Answered =
  | { readonly outcome: 'missing' }
  | { readonly outcome: Exclude<Outcome, 'missing'>; readonly report: Report };

type Taken = 'taken' | 'taken_by_caller';

/** @returns the report that this request or its first attempt created, or who uses the id */
export async function createReport(
  env: Env,
  context: WriteContext,
  { key, bodySha256 }: Keyed,
  report: Report,
): Promise<Creation<Taken>> {
  const { kind, latitude, longitude } = report;
  const [row] = await writeDatabase(env, (write) =>
    write.call<CreationRow<Taken>>(
      'SELECT * FROM create_report($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)',
      [
        ...firstOf(context),
        key ?? null,
        bodySha256,
        report.id,
        report.externalUserId,
        kind,
        latitude,
        longitude,
        placeOf(kind, longitude, latitude),
        report.properties,
        report.expiresAt - report.createdAt,
      ],
    ),
  );
  return creationOf(row!);
}

interface CastVote {
  readonly reportId: string;
  readonly vote: Vote;
  /** End user, if the token votes for end users; otherwise empty. */
  readonly voterUser: string;
  readonly rules: VoteRules;
}

export async function castVote(
  env: Env,
  context: WriteContext,
  { reportId, vote, voterUser, rules }: CastVote,
): Promise<Answered> {
  const [row] = await writeDatabase(env, (write) =>
    write.call<AnswerRow>('SELECT * FROM cast_vote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)', [
      ...firstOf(context),
      voterUser,
      reportId,
      vote,
      rules.allowSelfVote,
      rules.netToExpire,
    ]),
  );
  return answeredOf(row!);
}

export async function deleteReport(
  env: Env,
  context: WriteContext,
  isAdmin: boolean,
  reportId: string,
): Promise<Answered> {
  const [row] = await writeDatabase(env, (write) =>
    write.call<AnswerRow>('SELECT * FROM delete_report($1, $2, $3, $4, $5, $6, $7, $8)', [
      ...firstOf(context),
      isAdmin,
      reportId,
    ]),
  );
  return answeredOf(row!);
}

/** A report in any state. */
export async function findReport(env: Env, reportId: string): Promise<Report | undefined> {
  const [row] = await readDatabase(env, (database) =>
    ask<AnswerRow>(database, 'SELECT * FROM find_report($1)', [reportId]),
  );
  return row === undefined ? undefined : reportOf(row);
}

/** A cursor before the newest report. */
const FROM_THE_NEWEST: Cursor = {
  createdAt: 4_000_000_000_000,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** Reports in a box, newest first; one more than the limit if there are more. */
export async function listReports(
  env: Env,
  { box, kinds, since, after, limit, includeDeleted }: ReportQuery,
  nowMs: number,
): Promise<Report[]> {
  const { createdAt, id } = after ?? FROM_THE_NEWEST;
  // The result is empty; the index would scan everything between the two times.
  if (createdAt < since) return [];
  const rows = await readDatabase(env, (database) =>
    ask<AnswerRow>(
      database,
      'SELECT * FROM list_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
      [nowMs, ...valuesOf({ box, kinds, since }), createdAt, id, limit + 1, includeDeleted],
    ),
  );
  return rows.map(reportOf);
}

/** The arguments that select reports by place, kind and time. */
function valuesOf({ box, kinds, since }: ReportFilter): readonly unknown[] {
  const stretches = stretchesOf(box, kinds);
  return [
    stretches.map(({ low }) => low),
    stretches.map(({ high }) => high),
    stretches.map(({ west }) => west),
    stretches.map(({ east }) => east),
    kinds,
    box.south,
    box.north,
    since,
  ];
}

/** Whose deleted reports are listed. */
export type DeletedOf = 'none' | 'own' | 'all';

export interface ReportsPage {
  readonly reports: readonly Report[];
  /** Number of reports in all pages. */
  readonly total: number;
}

// Both functions read the snapshot of the statement. A page beyond the last report has one row.
const PAGE = `WITH counted AS (
  SELECT count_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS total
)
SELECT counted.total, page.* FROM counted LEFT JOIN LATERAL page_reports(
  $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
  $14, CASE WHEN counted.total > $14 THEN $15 ELSE 0 END
) AS page ON true`;

/** A page by offset, newest first. */
export async function pageReports(
  env: Env,
  { includeExpired, offset, limit, ...filter }: PageQuery,
  deletedOf: DeletedOf,
  { account, subject }: Party,
  nowMs: number,
): Promise<ReportsPage> {
  const selection = [nowMs, ...valuesOf(filter), includeExpired, deletedOf, account, subject];
  const rows = await readDatabase(env, (database) =>
    ask<AnswerRow & { readonly total: string }>(database, PAGE, [...selection, offset, limit]),
  );
  const reports = rows.filter(({ id }) => id !== null).map(reportOf);
  return { reports, total: Number(rows[0]!.total) };
}

/** Marks expired reports. @returns the number of examined reports, at most `most` */
export async function sweepReports(env: Env, nowMs: number, most: number): Promise<number> {
  const [row] = await writeDatabase(env, (write) =>
    write.call<{ looked: number }>('SELECT sweep_reports($1, $2) AS looked', [nowMs, most]),
  );
  return row!.looked;
}

/** Runs a constant statement directly with the driver. */
async function ask<Row>(
  database: Database,
  statement: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return (await database.$client.query(statement, [...values])) as Row[];
}

/** A row of the driver; bigints are strings. */
interface AnswerRow {
  readonly outcome: Outcome;
  readonly id: string;
  readonly account_id: string;
  readonly owner_subject: string;
  readonly external_user_id: string | null;
  readonly namespace: string;
  readonly report_type: ReportKind;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: string;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
  readonly expired_at: string | null;
  readonly deleted_at: string | null;
}

const answeredOf = (row: AnswerRow): Answered =>
  row.outcome === 'missing'
    ? { outcome: row.outcome }
    : { outcome: row.outcome, report: reportOf(row) };

const reportOf = (row: AnswerRow): Report => ({
  id: row.id,
  owner: { account: row.account_id, subject: row.owner_subject },
  externalUserId: row.external_user_id,
  namespace: row.namespace,
  kind: row.report_type,
  latitude: row.latitude,
  longitude: row.longitude,
  properties: row.properties,
  upvotes: row.upvotes,
  downvotes: row.downvotes,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
  expiresAt: Number(row.expires_at),
  expiredAt: numberOrNull(row.expired_at),
  deletedAt: numberOrNull(row.deleted_at),
});

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));
