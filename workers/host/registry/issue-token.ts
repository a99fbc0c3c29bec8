// Issues tokens: checks the rights of the account, signs the token or publishes an opaque one, and records
// its metadata and the operator in the registry.

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
import type { EdgeStore } from './edge-store.ts';
import {
  hashOf,
  idOfOpaque,
  makeOpaqueToken,
  type OpaqueTokens,
  publishOpaqueToken,
} from './opaque-tokens.ts';
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
  /** Undefined for a token that does not expire: an opaque one, or see `mayLastForever`. */
  readonly expiresInSeconds: number | undefined;
  readonly note?: string | undefined;
}

/**
 * @param by the keys for a signed token, or the store for an opaque one
 * @throws Error if the account does not exist or does not have the requested rights
 */
export function issueToken(
  administrator: Administrator,
  by: KeyStore | OpaqueTokens,
  request: IssueRequest,
): Promise<MintedToken> {
  return recorded(administrator, async (tx, writeDown) => {
    const granted = grantedBy(await lockedAccount(tx, request.account), request);
    return enter(tx, by, granted, request.note, (act) => writeDown({ act: 'token mint', ...act }));
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

const DEFAULT_NAME = 'default';

/**
 * Create the token of PROVISIONING_DEFAULT_TOKEN: a public opaque token that can read, of the account
 * `default`. Does nothing if the registry contains a token with this text.
 */
export async function ensureDefaultToken(
  administrator: Administrator,
  by: Required<OpaqueTokens>,
): Promise<void> {
  if ((await idOfOpaque(administrator.registry, by.text)) !== undefined) return;
  const rights = { plan: 'standard', pilot: false, admin: false } as const;
  const note = 'PROVISIONING_DEFAULT_TOKEN';
  await ensureAccount(administrator, DEFAULT_NAME, { ...rights, note });
  await issueToken(administrator, by, {
    account: DEFAULT_NAME,
    subject: DEFAULT_NAME,
    scopes: ['tiles', 'styles', 'query'],
    origins: [],
    votesForUsers: false,
    expiresInSeconds: undefined,
    note,
  });
}

/**
 * Issue a token with the same form, rights and lifetime as a valid one. The old token ends after the grace
 * period, so that clients can switch.
 */
export function replaceToken(
  administrator: Administrator,
  keys: KeyStore,
  id: string,
  { graceSeconds, store }: { readonly graceSeconds: number; readonly store: EdgeStore },
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
    const by = old.tokenHash === null ? keys : { store };
    const made = await enter(tx, by, granted, request.note, (act) =>
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
  by: KeyStore | OpaqueTokens,
  granted: TokenRequest,
  note: string | undefined,
  writeDown: (act: Omit<Act, 'act'>) => Promise<void>,
): Promise<MintedToken> {
  const isSigned = 'keys' in by;
  const made = isSigned
    ? await mintToken(by, granted, Date.now())
    : makeOpaqueToken(by, granted, Date.now());
  if (isSigned) assertUsable(made.token);
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
  const tokenHash = isSigned ? null : hashOf(made.token);
  const row = { id: tokenId, accountId, subject, origins, issuedAt, tokenHash, ...rights };
  await tx.insert(apiToken).values({ ...row, note: note ?? null });
  await writeDown({ accountId, tokenId, detail: { ...rights, isOpaque: !isSigned } });
  // Last, so that no token is published without an entry, unless the commit fails: then it is never printed.
  if (!isSigned) await publishOpaqueToken(by.store, row);
  return made;
}
