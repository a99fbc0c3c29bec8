// Creates, changes, suspends and resumes accounts, and ends all tokens of an account.

import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { ACCOUNT_ID } from '../../../shared/contract/token-claims.ts';
import { account, apiToken } from '../../service/db/schema.ts';
import {
  type Administrator,
  brokenRule,
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
  const { plan, pilot, admin, note } = rights;
  const creation = sql`create_account(${administrator.actor}, ${id}, ${plan}, ${pilot}, ${admin}, ${note})`;
  return rowBy(administrator, id, creation);
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
  const { plan = null, pilot = null, admin = null, note = null } = rights;
  const after = sql`change_account(${administrator.actor}, ${id}, ${plan}, ${pilot}, ${admin}, ${note})`;
  return rowBy(administrator, id, after);
}

/** Suspends an account: its tokens are rejected until it is resumed. @returns whether the account was active */
export const suspendAccount = (administrator: Administrator, id: string): Promise<boolean> =>
  setSuspended(administrator, id, true);

/** @returns whether the account was suspended @throws Error if the account was erased */
export const resumeAccount = (administrator: Administrator, id: string): Promise<boolean> =>
  setSuspended(administrator, id, false);

async function setSuspended({ registry, actor }: Administrator, id: string, suspends: boolean) {
  const { rows } = await registry
    .execute<{ done: boolean }>(sql`SELECT suspend_account(${actor}, ${id}, ${suspends}) AS done`)
    .catch(accountFault(id));
  return rows[0]!.done;
}

/** The account that a function of the database returns. */
async function rowBy({ registry }: Administrator, id: string, made: SQL): Promise<Account> {
  await registry.execute(sql`SELECT ${made}`).catch(accountFault(id));
  const [row] = await registry.select().from(account).where(eq(account.id, id));
  return row!;
}

/** @throws Error that names the broken rule */
export const accountFault =
  (id: string) =>
  (error: unknown): never => {
    const texts: Readonly<Record<string, string>> = {
      account_missing: noAccount(id),
      account_exists: `There is an account ${id} already.`,
      account_gone: `The account ${id} was erased.`,
    };
    const rule = brokenRule(error);
    throw rule === undefined ? error : new Error(texts[rule] ?? rule);
  };

const noAccount = (id: string): string =>
  `There is no account ${id}. Make it with: npm run tokens -- account create ${id}`;

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
    throw new Error(noAccount(id));
  }
  return found;
}
