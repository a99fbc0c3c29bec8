// The standing of the caller's token, asked by the write itself: what was revoked a moment ago writes
// nothing, whatever the edge still believes.

import { sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Caller } from '../identity/auth.ts';
import type { WriteTransaction } from './write-transaction.ts';

/**
 * Put a statement that writes, in one transaction and one round trip with the check of the caller's
 * token. Functions of the database that write make the same check themselves.
 * @returns what the statement answers @throws by way of `writeDatabase`: ApiError 401
 */
export function withStanding<Statement extends BatchItem<'pg'>>(
  write: WriteTransaction,
  { tokenId, account, generation }: Caller,
  statement: Statement,
): Promise<Awaited<Statement>> {
  const check = sql`SELECT require_standing(${tokenId}, ${account}, ${generation})`;
  return write.run(write.database.execute(check), statement);
}
