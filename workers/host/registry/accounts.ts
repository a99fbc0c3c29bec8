// Creates, changes, suspends and resumes accounts, and ends all tokens of an account.

import { asc, eq, sql } from 'drizzle-orm';
import { ACCOUNT_ID } from '../../../shared/contract/token-claims.ts';
import { account, apiToken } from '../../service/db/schema.ts';
import {
  type Administrator,
  DATABASE_NOW_MS,
  holdWrites,
  type RegistryChange,
  recorded,
} from './registry.ts';

export type Account = typeof account.$inferSelect;

/** Rights that an account's tokens may have. */
interface AccountRights {
  readonly plan: Account['plan'];
  readonly pilot: boolean;
  readonly admin: boolean;
  readonly note: string | null;
}

/** @throws Error if the id is invalid or taken */
export function createAccount(
  administrator: Administrator,
  id: string,
  rights: AccountRights,
): Promise<Account> {
  if (!ACCOUNT_ID.test(id)) {
    throw new Error(
      `"${id}" is no account: at most 64 of a–z, 0–9, dot, dash and underscore, beginning with one of the former two.`,
    );
  }
  return recorded(administrator, async (tx, writeDown) => {
    const [made] = await tx
      .insert(account)
      .values({ id, ...rights })
      .onConflictDoNothing()
      .returning();
    if (made === undefined) throw new Error(`There is an account ${id} already.`);
    const { note: _, ...detail } = rights;
    await writeDown({ act: 'account create', accountId: id, detail });
    return made;
  });
}

/** Create the account with these rights, unless it exists. */
export async function ensureAccount(
  administrator: Administrator,
  id: string,
  rights: AccountRights,
): Promise<void> {
  const [known] = await administrator.registry.select().from(account).where(eq(account.id, id));
  // If two processes create it at once, the second ignores the error.
  if (known === undefined)
    await createAccount(administrator, id, rights).catch(ignoreIfMade(administrator, id));
}

const ignoreIfMade = (administrator: Administrator, id: string) => async (error: unknown) => {
  const [made] = await administrator.registry.select().from(account).where(eq(account.id, id));
  if (made === undefined) throw error;
};

export function changeAccount(
  administrator: Administrator,
  id: string,
  rights: Partial<AccountRights>,
): Promise<Account> {
  return recorded(administrator, async (tx, writeDown) => {
    const before = await lockedAccount(tx, id);
    if (before.erasedAt !== null) throw new Error(`The account ${id} was erased.`);
    const [after] = await tx.update(account).set(rights).where(eq(account.id, id)).returning();
    const { note: _, ...detail } = rights;
    await writeDown({ act: 'account set', accountId: id, detail });
    return after!;
  });
}

/** Stop the account's tokens until it is resumed. @returns whether it was active */
export function suspendAccount(administrator: Administrator, id: string): Promise<boolean> {
  return recorded(administrator, async (tx, writeDown) => {
    await holdWrites(tx, id);
    const { suspendedAt } = await lockedAccount(tx, id);
    if (suspendedAt !== null) return false;
    await tx.update(account).set({ suspendedAt: DATABASE_NOW_MS }).where(eq(account.id, id));
    await writeDown({ act: 'account suspend', accountId: id });
    return true;
  });
}

/** @returns whether it was suspended @throws Error if it was erased */
export function resumeAccount(administrator: Administrator, id: string): Promise<boolean> {
  return recorded(administrator, async (tx, writeDown) => {
    const { suspendedAt, erasedAt } = await lockedAccount(tx, id);
    if (erasedAt !== null) throw new Error(`The account ${id} was erased.`);
    if (suspendedAt === null) return false;
    await tx.update(account).set({ suspendedAt: null }).where(eq(account.id, id));
    await writeDown({ act: 'account resume', accountId: id });
    return true;
  });
}

/** End every token issued so far. @returns the generation of new tokens */
export function endTokens(administrator: Administrator, id: string): Promise<number> {
  return recorded(administrator, async (tx, writeDown) => {
    await holdWrites(tx, id);
    await lockedAccount(tx, id);
    const [after] = await tx
      .update(account)
      .set({ generation: sql`${account.generation} + 1` })
      .where(eq(account.id, id))
      .returning({ generation: account.generation });
    const { generation } = after!;
    await writeDown({ act: 'account end-tokens', accountId: id, detail: { generation } });
    return generation;
  });
}

export const listAccounts = ({ registry }: Administrator): Promise<Account[]> =>
  registry.select().from(account).orderBy(asc(account.id));

/** Number of valid tokens with more rights than the account has now. */
export async function countExcessTokens(
  { registry }: Administrator,
  { id, plan, pilot, admin, generation }: Account,
): Promise<number> {
  const [found] = await registry
    .select({ number: sql<number>`count(*)::int` })
    .from(apiToken)
    .where(
      sql`${apiToken.accountId} = ${id} AND ${apiToken.generation} >= ${generation}
        AND (${apiToken.expiresAt} IS NULL OR ${apiToken.expiresAt} > ${DATABASE_NOW_MS})
        AND (${apiToken.revokedAt} IS NULL OR ${apiToken.revokedAt} > ${DATABASE_NOW_MS})
        AND ((${apiToken.plan} = 'enterprise' AND ${plan} = 'standard')
          OR (${apiToken.pilot} AND NOT ${pilot}::boolean)
          OR ('reports:admin' = ANY (${apiToken.scopes}) AND NOT ${admin}::boolean))`,
    );
  return found?.number ?? 0;
}

/** Select the account with a row lock. @throws Error if it does not exist */
export async function lockedAccount(tx: RegistryChange, id: string): Promise<Account> {
  const [found] = await tx.select().from(account).where(eq(account.id, id)).for('update');
  if (found === undefined) {
    throw new Error(
      `There is no account ${id}. Make it with: npm run tokens -- account create ${id}`,
    );
  }
  return found;
}
