// Rows of reports, as functions of the database return them.

import type { Outcome, Report, ReportKind } from '../../../shared/reports/report.ts';
import type { Database } from './client.ts';

/** Runs a constant statement directly with the driver. */
export async function askReports<Row>(
  database: Database,
  statement: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return (await database.$client.query(statement, [...values])) as Row[];
}

/** A row of the driver; bigints are strings. */
export interface AnswerRow {
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

export const reportOf = (row: AnswerRow): Report => ({
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
