// Tables as Drizzle sees them. The migrations make them; a test holds the two together.

import {
  bigint,
  customType,
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

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

export const trackAbout = pgTable('track_about', {
  id: uuid().primaryKey(),
  accountId: text('account_id').notNull(),
  subject: text().notNull(),
  externalUserId: text('external_user_id').notNull(),
  platformUid: text('platform_uid').notNull(),
  platform: jsonb().$type<Readonly<Record<string, unknown>>>(),
  provider: jsonb().$type<Readonly<Record<string, unknown>>>(),
  timeUnits: text('time_units'),
  convention: text(),
});

export const track = pgTable('track', {
  accountId: text('account_id').notNull(),
  subject: text().notNull(),
  id: uuid().notNull(),
  aboutId: uuid('about_id').notNull(),
  platformKey: bigint('platform_key', { mode: 'bigint' }),
  startTime: epochMs('start_time'),
  endTime: epochMs('end_time'),
  pointCount: integer('point_count').notNull(),
  byteSize: integer('byte_size').notNull(),
  west: doublePrecision().notNull(),
  south: doublePrecision().notNull(),
  east: doublePrecision().notNull(),
  north: doublePrecision().notNull(),
  points: bytea().notNull(),
  createdAt: epochMs('created_at'),
  updatedAt: epochMs('updated_at'),
});

export const trackChunk = pgTable('track_chunk', {
  accountId: text('account_id').notNull(),
  subject: text().notNull(),
  trackId: uuid('track_id').notNull(),
  seq: integer().notNull(),
  points: bytea().notNull(),
});

export const ingestKey = pgTable('ingest_key', {
  accountId: text('account_id').notNull(),
  subject: text().notNull(),
  key: text().notNull(),
  bodySha256: text('body_sha256').notNull(),
  merged: text(),
  taken: integer().notNull(),
  ids: uuid().array().notNull(),
  stops: integer().array().notNull(),
  createdAt: epochMs('created_at'),
});
