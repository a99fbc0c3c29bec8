// Tables as Drizzle sees them. The migrations make them; a test holds the two together.

import {
  bigint,
  doublePrecision,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { SavedStyle } from '../../shared/contract/saved-style.ts';
import type { ReportKind } from '../../shared/reports/report.ts';

/** Epoch milliseconds fit a double until the year 287396. */
const epochMs = (name: string) => bigint(name, { mode: 'number' }).notNull();

export const savedStyle = pgTable('saved_style', {
  id: uuid().primaryKey(),
  accountId: text('account_id').notNull(),
  name: text().notNull(),
  baseTheme: text('base_theme').$type<SavedStyle['baseTheme']>().notNull(),
  parameters: jsonb().$type<SavedStyle['parameters']>().notNull(),
  createdAt: epochMs('created_at'),
  updatedAt: epochMs('updated_at'),
});

/** Touched by the functions of its migration alone, as its votes are. */
export const userReport = pgTable('user_report', {
  id: uuid().primaryKey(),
  accountId: text('account_id').notNull(),
  ownerSubject: text('owner_subject').notNull(),
  externalUserId: text('external_user_id'),
  namespace: text().notNull().default('public'),
  reportType: text('report_type').$type<ReportKind>().notNull(),
  latitude: doublePrecision().notNull(),
  longitude: doublePrecision().notNull(),
  place: doublePrecision().notNull(),
  properties: json().notNull(),
  upvotes: integer().notNull().default(0),
  downvotes: integer().notNull().default(0),
  lifetimeMs: epochMs('lifetime_ms'),
  createdAt: epochMs('created_at'),
  updatedAt: epochMs('updated_at'),
  expiresAt: epochMs('expires_at'),
  sweepAt: epochMs('sweep_at'),
  expiredAt: bigint('expired_at', { mode: 'number' }),
  deletedAt: bigint('deleted_at', { mode: 'number' }),
  erasedAt: bigint('erased_at', { mode: 'number' }),
  lastRequest: uuid('last_request').notNull(),
});

export const reportVote = pgTable(
  'report_vote',
  {
    reportId: uuid('report_id').notNull(),
    accountId: text('account_id').notNull(),
    subject: text().notNull(),
    externalUserId: text('external_user_id').notNull().default(''),
    value: smallint().notNull(),
    updatedAt: epochMs('updated_at'),
  },
  ({ reportId, accountId, subject, externalUserId }) => [
    primaryKey({ columns: [reportId, accountId, subject, externalUserId] }),
  ],
);
