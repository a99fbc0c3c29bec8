// The tables of users and sessions, which the sign-in library reads and writes.

import { bigint, boolean, customType, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { PortalRole } from '../../../shared/contract/portal.ts';

/** Epoch milliseconds in the database, `Date` in the library. */
const time = customType<{ data: Date; driverData: string | number }>({
  dataType: () => 'bigint',
  toDriver: (date) => date.getTime(),
  fromDriver: (ms) => new Date(Number(ms)),
});

export const portalUser = pgTable('portal_user', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  role: text().$type<PortalRole>().notNull(),
  /** In lower case. */
  email: text().notNull(),
  name: text().notNull(),
  emailVerified: boolean('email_verified').notNull(),
  image: text(),
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
  /** Epoch milliseconds; `null` if not suspended. */
  suspendedAt: bigint('suspended_at', { mode: 'number' }),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});

export const portalCredential = pgTable('portal_credential', {
  id: text().primaryKey(),
  userId: text('user_id').notNull(),
  providerId: text('provider_id').notNull(),
  accountId: text('account_id').notNull(),
  password: text(),
  // Of other identity providers: not used, but the library requires the columns.
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: time('access_token_expires_at'),
  refreshTokenExpiresAt: time('refresh_token_expires_at'),
  scope: text(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});

export const portalSession = pgTable('portal_session', {
  id: text().primaryKey(),
  token: text().notNull(),
  userId: text('user_id').notNull(),
  userAgent: text('user_agent'),
  ipAddress: text('ip_address'),
  expiresAt: time('expires_at').notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});

const proofs = <Name extends string>(name: Name) =>
  pgTable(name, {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  });

/** One-time links. */
export const portalVerification = proofs('portal_verification');
/** Links that set a password, which are sent by email. */
export const portalReset = proofs('portal_reset');
/** Sign-ins that wait for a code of the second factor. */
export const portalChallenge = proofs('portal_challenge');

/** The commands only remove passkeys; `passkey-store.ts` has the queries of the service. */
export const portalPasskey = pgTable('portal_passkey', {
  id: text().primaryKey(),
  userId: text('user_id').notNull(),
  name: text().notNull(),
  credentialId: text('credential_id').notNull(),
  publicKey: text('public_key').notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  transports: text().array().notNull(),
  createdAt: time('created_at').notNull(),
  lastUsedAt: time('last_used_at'),
});

export const portalSecondFactor = pgTable('portal_second_factor', {
  id: text().primaryKey(),
  userId: text('user_id').notNull(),
  secret: text().notNull(),
  backupCodes: text('backup_codes').notNull(),
  verified: boolean().notNull(),
  failedVerificationCount: integer('failed_verification_count').notNull(),
  lockedUntil: time('locked_until'),
});
