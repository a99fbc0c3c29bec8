// Checks in the transaction of a write that the caller's token is valid: a token that was just
// revoked cannot write, even if the cached list of revoked tokens is older.

import { sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Caller } from '../identity/auth.ts';
import type { WriteTransaction } from './write-transaction.ts';

/**
 * Runs a statement and the check of the caller's token in one transaction and one round trip.
 * Database functions that write make the same check.
 * @returns the result of the statement @throws through `writeDatabase`: ApiError 401
 */
export function withStanding<Statement extends BatchItem<'pg'>>(
  write: WriteTransaction,
  { tokenId, account, generation }: Caller,
  statement: Statement,
): Promise<Awaited<Statement>> {
  const check = sql`SELECT require_standing(${tokenId}, ${account}, ${generation})`;
  return write.run(write.database.execute(check), statement);
}
