// The tables that Drizzle queries. Only functions of the migrations access the other tables. A test
// compares these definitions with the migrations.

import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { SavedStyle } from '../../../shared/contract/saved-style.ts';
import type { Plan, Scope } from '../../../shared/contract/scopes.ts';
import type { Share } from '../../../shared/crowd/contribution.ts';

/** Epoch milliseconds fit a double until the year 287396. */
const epochMs = (name: string) => bigint(name, { mode: 'number' }).notNull();
const epochMsIfAny = (name: string) => bigint(name, { mode: 'number' });
/** Set by the clock of the database. */
const NOW_MS = sql`(extract(epoch FROM now()) * 1000)::bigint`;

export const savedStyle = pgTable('saved_style', {
  id: uuid().primaryKey(),
  accountId: text('account_id').notNull(),
  name: text().notNull(),
  baseTheme: text('base_theme').$type<SavedStyle['baseTheme']>().notNull(),
  parameters: jsonb().$type<SavedStyle['parameters']>().notNull(),
  createdAt: epochMs('created_at'),
  updatedAt: epochMs('updated_at'),
});

export const savedStyleVersion = pgTable('saved_style_version', {
  styleId: uuid('style_id').notNull(),
  savedAt: epochMs('saved_at'),
  baseTheme: text('base_theme').$type<SavedStyle['baseTheme']>().notNull(),
  parameters: jsonb().$type<SavedStyle['parameters']>().notNull(),
});

export const account = pgTable('account', {
  id: text().primaryKey(),
  plan: text().$type<Plan>().notNull(),
  pilot: boolean().notNull().default(false),
  admin: boolean().notNull().default(false),
  generation: integer().notNull().default(0),
  note: text(),
  createdAt: epochMs('created_at').default(NOW_MS),
  suspendedAt: epochMsIfAny('suspended_at'),
  erasedAt: epochMsIfAny('erased_at'),
  share: text().$type<Share>().notNull().default('private'),
});

export const apiToken = pgTable('api_token', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  subject: text().notNull(),
  kind: text().$type<'pk' | 'sk'>().notNull(),
  plan: text().$type<Plan>().notNull(),
  pilot: boolean().notNull(),
  scopes: text().array().$type<Scope[]>().notNull(),
  origins: text().array().notNull(),
  votesForUsers: boolean('votes_for_users').notNull(),
  generation: integer().notNull(),
  keyId: text('key_id'),
  /** SHA-256 of an opaque token; null for a signed one. */
  tokenHash: text('token_hash'),
  note: text(),
  issuedAt: epochMs('issued_at'),
  /** Null for a token that does not expire. */
  expiresAt: epochMsIfAny('expires_at'),
  revokedAt: epochMsIfAny('revoked_at'),
  replacedBy: text('replaced_by'),
});

export const adminAct = pgTable('admin_act', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: epochMs('at').default(NOW_MS),
  actor: text().notNull(),
  act: text().notNull(),
  accountId: text('account_id'),
  tokenId: text('token_id'),
  detail: jsonb().$type<Readonly<Record<string, unknown>>>().notNull().default({}),
});

export const tokenUsage = pgTable(
  'token_usage',
  {
    day: date().notNull(),
    tokenId: text('token_id').notNull(),
    accountId: text('account_id').notNull(),
    kind: text().notNull().default('Other'),
    requests: bigint({ mode: 'number' }).notNull(),
    refused: bigint({ mode: 'number' }).notNull().default(0),
    failed: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.tokenId, table.kind] })],
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
  share: text().$type<Share>().notNull().default('private'),
});

export const trackChunk = pgTable('track_chunk', {
  accountId: text('account_id').notNull(),
  subject: text().notNull(),
  trackId: uuid('track_id').notNull(),
  seq: integer().notNull(),
  points: bytea().notNull(),
});
