// Reports and votes in the database. Each request calls one database function. A retry finds the
// result of its first attempt by the write's id.

import { placeOf } from '../../../shared/reports/place.ts';
import type { Outcome, Report, Vote, VoteRules } from '../../../shared/reports/report.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { readDatabase, writeDatabase } from './ask-database.ts';
import { callPortal, resultsOf } from './call-portal.ts';
import { type Creation, type CreationRow, creationOf, type RequestIdentity } from './creation.ts';
import { type AnswerRow, askReports, reportOf } from './report-rows.ts';

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

/**
 * @returns the report that this request or its first attempt created, or who uses the id
 * @throws ApiError 403 `user_blocked`, 503
 */
export async function createReport(
  env: Env,
  context: WriteContext,
  { key, bodySha256 }: RequestIdentity,
  report: Report,
): Promise<Creation<Taken>> {
  const { kind, latitude, longitude } = report;
  const { isPublic, endUser } = context.caller;
  const [row] = await resultsOf<CreationRow<Taken>>(env, 'create_report', [
    ...firstOf(context),
    ...[key, bodySha256, report.id, report.externalUserId, kind, latitude, longitude],
    placeOf(kind, longitude, latitude),
    report.properties,
    report.expiresAt - report.createdAt,
    // Only the request states the end user, without proof.
    isPublic && endUser === undefined,
  ]);
  return creationOf(row!);
}

interface CastVote {
  readonly reportId: string;
  readonly vote: Vote;
  /** End user, if the token votes for end users; otherwise empty. */
  readonly voterUser: string;
  readonly rules: VoteRules;
}

/** @throws ApiError 403 `user_blocked`, 503 */
export async function castVote(
  env: Env,
  context: WriteContext,
  { reportId, vote, voterUser, rules }: CastVote,
): Promise<Answered> {
  const [row] = await callPortal<AnswerRow>(
    env,
    'SELECT * FROM cast_vote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
    [...firstOf(context), voterUser, reportId, vote, rules.allowSelfVote, rules.netToExpire],
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
    askReports<AnswerRow>(database, 'SELECT * FROM find_report($1)', [reportId]),
  );
  return row === undefined ? undefined : reportOf(row);
}

/** A batch of the sweep takes longer than a request may. */
const SWEEPING = { limitMs: 10_000 } as const;

/** Marks expired reports. @returns the number of examined reports, at most `most` */
export async function sweepReports(env: Env, nowMs: number, most: number): Promise<number> {
  const [row] = await writeDatabase(
    env,
    (write) =>
      write.call<{ looked: number }>('SELECT sweep_reports($1, $2) AS looked', [nowMs, most]),
    SWEEPING,
  );
  return row!.looked;
}

const answeredOf = (row: AnswerRow): Answered =>
  row.outcome === 'missing'
    ? { outcome: row.outcome }
    : { outcome: row.outcome, report: reportOf(row) };
