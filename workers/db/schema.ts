// Tables as Drizzle sees them. The migrations make them; a test holds the two together.

import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { SavedStyle } from '../../shared/contract/saved-style.ts';
import type { Plan, Scope } from '../../shared/contract/scopes.ts';

/** Epoch milliseconds fit a double until the year 287396. */
const epochMs = (name: string) => bigint(name, { mode: 'number' }).notNull();
const epochMsIfAny = (name: string) => bigint(name, { mode: 'number' });
/** By the database's own clock. */
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
  note: text(),
  issuedAt: epochMs('issued_at'),
  expiresAt: epochMs('expires_at'),
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
    requests: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.tokenId] })],
);

export const usageReport = pgTable('usage_report', {
  id: uuid().primaryKey(),
  receivedAt: epochMs('received_at'),
});
