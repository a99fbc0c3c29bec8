// The registry: accounts, tokens and what was done about them, in the database, for whoever has its
// owner's login. The Worker has not.

import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { adminAct } from '../../service/db/schema.ts';
import { withClient } from '../database/local-database.ts';

export type Registry = NodePgDatabase;
export type RegistryChange = Parameters<Parameters<Registry['transaction']>[0]>[0];

/** Connect, work, and let go whatever happens. */
export const withRegistry = <T>(
  ownerUrl: string,
  work: (registry: Registry) => Promise<T>,
): Promise<T> => withClient(ownerUrl, (client) => work(drizzle({ client })));

/** Ids and settings; never a subject, an external user or a token, as what is written stays. */
export interface Act {
  readonly act: string;
  readonly accountId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface Administrator {
  readonly registry: Registry;
  /** Who is at the terminal. */
  readonly actor: string;
}

/** Change something and write down who did it: both or neither. */
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

/** No write of the account's tokens is under way from here on, nor begins before the end. */
export async function holdWrites(tx: RegistryChange, accountId: string): Promise<void> {
  await tx.execute(sql`SELECT hold_writes(${accountId})`);
}

/** The database's clock, epoch milliseconds: the one that its checks go by. */
export const DATABASE_NOW_MS = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
