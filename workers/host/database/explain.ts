// Converts errors to messages with a remedy, without SQL statements or stack traces.

import { DrizzleQueryError } from 'drizzle-orm';
import { systemErrorText } from '../../../shared/contract/system-error.ts';
import { reasonOf } from './json-log.ts';

const URLS = 'DATABASE_OWNER_URL or DATABASE_URL';
const BAD_LOGIN = `The database refuses the login. Correct the user and the password in ${URLS}.`;
const NO_HOST = `The host of the database cannot be found. Correct its name in ${URLS}, or check the network.`;
const NO_ANSWER = `The database does not answer. Check the server and the network, or correct ${URLS}.`;

export const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': BAD_LOGIN,
  '28000': BAD_LOGIN,
  '3D000': `The database does not exist. Create it, or correct its name in ${URLS}.`,
  '42P01': 'The database lacks tables. Update it with: npm run migrate',
  '42883': 'The database lacks functions. Update it with: npm run migrate',
  '42703': 'The database lacks columns. Update it with: npm run migrate',
  '42501': `The login lacks a permission. Set ${URLS} to the login of the owner, not of the service.`,
  '53300': 'The database has too many connections. Close some of them, or try again later.',
  '55P03': 'Another change of the database did not end in time. Try again in a minute.',
  '57P03': 'The database is starting or stopping. Try again in a minute.',
  ECONNREFUSED: `No server answers at the address of the database. Start the server, or correct ${URLS}.`,
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NO_HOST,
  ETIMEDOUT: NO_ANSWER,
  ECONNRESET: NO_ANSWER,
};

/** Errors of the `pg` library that have no code. */
const LOST_CONNECTION = /^(Connection terminated|timeout expired)/;

export function explain(error: unknown): string {
  const source = error instanceof DrizzleQueryError ? error.cause : error;
  const code = (source as { code?: unknown } | undefined)?.code;
  const remedy = typeof code === 'string' ? REMEDIES[code] : undefined;
  if (remedy !== undefined) return remedy;
  const reason = systemErrorText(source) ?? reasonOf(source);
  return LOST_CONNECTION.test(reason) ? NO_ANSWER : reason;
}
