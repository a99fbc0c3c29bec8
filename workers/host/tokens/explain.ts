// Converts errors to messages with a remedy, without SQL statements or stack traces.

import { DrizzleQueryError } from 'drizzle-orm';

const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the login in DATABASE_OWNER_URL or DATABASE_URL.',
  '28000': 'The database refuses the login in DATABASE_OWNER_URL or DATABASE_URL.',
  '3D000': 'There is no such database; see DATABASE_OWNER_URL or DATABASE_URL.',
  '42P01': 'The database lacks tables. Bring it up to date with: npm run migrate',
  '42883': 'The database lacks functions. Bring it up to date with: npm run migrate',
  '42703': 'The database lacks columns. Bring it up to date with: npm run migrate',
  '42501':
    'The login in DATABASE_OWNER_URL or DATABASE_URL may not do that: it must be the owner’s, not the service’s.',
  '55P03': 'Writes of the account did not pause in time. Try again.',
  ECONNREFUSED: 'Nothing answers at DATABASE_OWNER_URL or DATABASE_URL.',
  ENOTFOUND: 'There is no such host; see DATABASE_OWNER_URL or DATABASE_URL.',
  ETIMEDOUT: 'The database does not answer; see DATABASE_OWNER_URL or DATABASE_URL.',
};

export function explain(error: unknown): string {
  const source = error instanceof DrizzleQueryError ? error.cause : error;
  const code = (source as { code?: unknown } | undefined)?.code;
  const remedy = typeof code === 'string' ? REMEDIES[code] : undefined;
  if (remedy !== undefined) return remedy;
  return source instanceof Error ? source.message : String(source);
}
