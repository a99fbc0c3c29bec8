// The registry of accounts, tokens and administrative acts in the database. It needs the owner's login,
// which the Worker does not have.

import { DrizzleQueryError, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { DatabaseError } from 'pg';
import { adminAct } from '../../service/db/schema.ts';
import { withClient } from '../database/local-database.ts';

export type Registry = NodePgDatabase;
export type RegistryChange = Parameters<Parameters<Registry['transaction']>[0]>[0];

/** Run `work` with a connection, and close the connection afterwards. */
export const withRegistry = <T>(
  ownerUrl: string,
  work: (registry: Registry) => Promise<T>,
): Promise<T> => withClient(ownerUrl, (client) => work(drizzle({ client })));

/** An audit entry: ids and settings. Never a subject, external user or token, because entries are kept. */
export interface Act {
  readonly act: string;
  readonly accountId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface Administrator {
  readonly registry: Registry;
  /** Name of the operator. */
  readonly actor: string;
}

/** Make a change and record it in the audit trail, in one transaction. */
export function recorded<T>(
  { registry, actor }: Administrator,
  change: (tx: RegistryChange, writeDown: (act: Act) => Promise<void>) => Promise<T>,
): Promise<T> {
  return registry.transaction((tx) =>
    change(tx, async (act) => {
      await tx.insert(adminAct).values({ actor, ...act });
    }),
  );
}

/** The code of a rule that a function of the database refused by; `undefined` for other errors. */
export function brokenRule(error: unknown): string | undefined {
  const source = error instanceof DrizzleQueryError ? error.cause : error;
  return source instanceof DatabaseError && source.code === 'LL409' ? source.message : undefined;
}

/** Wait for writes of the account's tokens, and block new ones until the transaction ends. */
export async function holdWrites(tx: RegistryChange, accountId: string): Promise<void> {
  await tx.execute(sql`SELECT hold_writes(${accountId})`);
}

/** The database's clock in epoch milliseconds, which its checks use. */
export const DATABASE_NOW_MS = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
