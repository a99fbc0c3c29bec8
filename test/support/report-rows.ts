// Reports in any state, written directly into the table.

import { randomUUID } from 'node:crypto';
import { placeOf } from '../../shared/reports/place.ts';
import type { ReportKind } from '../../shared/reports/report.ts';
import type { TestDatabase } from './database.ts';

export const NOW = Date.now();

export interface ReportRow {
  readonly id: string;
  readonly kind: ReportKind;
  readonly longitude: number;
  readonly latitude: number;
  readonly createdAt: number;
  /** `swept` if the expiry is recorded. */
  readonly state: 'active' | 'expired' | 'swept' | 'deleted';
  /** Subject of the owner, in the account `tests`. */
  readonly owner: string;
  readonly externalUserId: string | null;
}

export const reportRow = (more: Partial<ReportRow> = {}): ReportRow => ({
  id: randomUUID(),
  kind: 'hazard',
  longitude: 10,
  latitude: 50,
  createdAt: NOW - 1000,
  state: 'active',
  owner: 'anna',
  externalUserId: null,
  ...more,
});

export async function insertReports(
  database: TestDatabase,
  rows: readonly ReportRow[],
): Promise<void> {
  await database.query(
    `INSERT INTO user_report (id, account_id, owner_subject, external_user_id, report_type, latitude,
       longitude, place, properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at,
       expired_at, deleted_at, last_request)
     SELECT id, 'tests', owner, external_user_id, kind, latitude, longitude, place, '{}', 1000,
       created_at, created_at, expires_at, expires_at, expired_at, deleted_at, id
     FROM json_to_recordset($1) AS row (id uuid, owner text, external_user_id text, kind text,
       latitude float8, longitude float8, place float8, created_at bigint, expires_at bigint,
       expired_at bigint, deleted_at bigint)`,
    [JSON.stringify(rows.map(columnsOf))],
  );
}

function columnsOf({ state, createdAt, externalUserId, ...row }: ReportRow) {
  const isOver = state === 'expired' || state === 'swept';
  const expires_at = isOver ? createdAt + 1 : NOW + 86_400_000;
  return {
    ...row,
    external_user_id: externalUserId,
    place: placeOf(row.kind, row.longitude, row.latitude),
    created_at: createdAt,
    expires_at,
    expired_at: state === 'swept' ? expires_at : null,
    deleted_at: state === 'deleted' ? createdAt + 1 : null,
  };
}
