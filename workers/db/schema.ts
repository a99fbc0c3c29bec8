// Tables as Drizzle sees them. The migrations make them; a test holds the two together.

import {
  bigint,
  customType,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { SavedStyle } from '../../shared/contract/saved-style.ts';

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
