// Issues tokens: checks the rights of the account, signs the token, and records its metadata and the
// operator in the registry.

import { eq, sql } from 'drizzle-orm';
import type { Plan, Scope } from '../../../shared/contract/scopes.ts';
import { apiToken } from '../../service/db/schema.ts';
import {
  assertUsable,
  DEVELOPMENT,
  type KeyStore,
  type MintedToken,
  mintToken,
  type TokenRequest,
} from '../admin/keys.ts';
import { type Account, ensureAccount, lockedAccount } from './accounts.ts';
import {
  type Act,
  type Administrator,
  DATABASE_NOW_MS,
  holdWrites,
  type RegistryChange,
  recorded,
} from './registry.ts';

/** Properties of the new token. `plan` and `pilot` default to the account's. */
export interface IssueRequest {
  readonly account: string;
  readonly subject: string;
  readonly plan?: Plan | undefined;
  readonly pilot?: boolean | undefined;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly votesForUsers: boolean;
  /** Undefined for a token that does not expire: see `mayLastForever`. */
  readonly expiresInSeconds: number | undefined;
  readonly note?: string | undefined;
}

/** @throws Error if the account does not exist or does not have the requested rights */
export function issueToken(
  administrator: Administrator,
  keys: KeyStore,
  request: IssueRequest,
): Promise<MintedToken> {
  return recorded(administrator, async (tx, writeDown) => {
    const granted = grantedBy(await lockedAccount(tx, request.account), request);
    return enter(tx, keys, granted, request.note, (act) =>
      writeDown({ act: 'token mint', ...act }),
    );
  });
}

/** Create the development account, which has all rights, unless it exists. */
export const ensureDevelopmentAccount = (administrator: Administrator): Promise<void> =>
  ensureAccount(administrator, DEVELOPMENT.account, {
    plan: 'enterprise',
    pilot: true,
    admin: true,
    note: null,
  });

/** The token of `npm start`. */
export async function issueDevelopmentToken(
  administrator: Administrator,
  keys: KeyStore,
): Promise<string> {
  await ensureDevelopmentAccount(administrator);
  const request = { votesForUsers: false, note: 'npm start', ...DEVELOPMENT };
  return (await issueToken(administrator, keys, request)).token;
}

/**
 * Issue a token with the same rights and lifetime as a valid one. The old token ends after the grace
 * period, so that clients can switch.
 */
export function replaceToken(
  administrator: Administrator,
  keys: KeyStore,
  id: string,
  { graceSeconds }: { readonly graceSeconds: number },
): Promise<MintedToken> {
  return recorded(administrator, async (tx, writeDown) => {
    const [old] = await tx.select().from(apiToken).where(eq(apiToken.id, id)).for('update');
    if (old === undefined) throw new Error(`There is no token ${id}.`);
    if (old.replacedBy !== null) throw new Error(`It was replaced already, by ${old.replacedBy}.`);
    if (old.revokedAt !== null) throw new Error('It was revoked, and is not replaced.');
    await holdWrites(tx, old.accountId);
    const request: IssueRequest = {
      ...old,
      account: old.accountId,
      expiresInSeconds:
        old.expiresAt === null ? undefined : Math.round((old.expiresAt - old.issuedAt) / 1000),
      note: old.note ?? undefined,
    };
    const granted = grantedBy(await lockedAccount(tx, old.accountId), request);
    const made = await enter(tx, keys, granted, request.note, (act) =>
      writeDown({ act: 'token rotate', ...act, detail: { ...act.detail, replaces: id } }),
    );
    const revokedAt = sql`${DATABASE_NOW_MS} + ${graceSeconds * 1000}::bigint`;
    await tx
      .update(apiToken)
      .set({ revokedAt, replacedBy: made.tokenId })
      .where(eq(apiToken.id, id));
    return made;
  });
}

/** @throws Error that names the missing right and the command that grants it */
function grantedBy(account: Account, request: IssueRequest): TokenRequest {
  const { id } = account;
  const lacks = (what: string, remedy: string) =>
    new Error(`The account ${id} ${what}: npm run tokens -- account ${remedy}`);
  if (account.erasedAt !== null) throw new Error(`The account ${id} was erased.`);
  if (account.suspendedAt !== null) throw lacks('is suspended', `resume ${id}`);
  const plan = request.plan ?? account.plan;
  if (plan === 'enterprise' && account.plan !== 'enterprise') {
    throw lacks('has the standard plan', `set ${id} --plan enterprise`);
  }
  if (request.pilot === true && !account.pilot) {
    throw lacks('is no pilot customer', `set ${id} --pilot`);
  }
  if (request.scopes.includes('reports:admin') && !account.admin) {
    throw lacks('may have no administrators', `set ${id} --admin`);
  }
  const { generation } = account;
  return { ...request, plan, pilot: request.pilot ?? account.pilot, generation };
}

async function enter(
  tx: RegistryChange,
  keys: KeyStore,
  granted: TokenRequest,
  note: string | undefined,
  writeDown: (act: Omit<Act, 'act'>) => Promise<void>,
): Promise<MintedToken> {
  const made = await mintToken(keys, granted, Date.now());
  assertUsable(made.token);
  const {
    account: accountId,
    plan,
    pilot,
    subject,
    votesForUsers = false,
    generation = 0,
  } = granted;
  const { tokenId, kind, keyId, issuedAt, expiresAt } = made;
  const scopes = [...granted.scopes];
  const origins = [...granted.origins];
  const rights = { kind, plan, pilot, scopes, votesForUsers, generation, keyId, expiresAt };
  await tx
    .insert(apiToken)
    .values({ id: tokenId, accountId, subject, origins, note: note ?? null, issuedAt, ...rights });
  await writeDown({ accountId, tokenId, detail: rights });
  return made;
}
