// Issues tokens: checks the rights of the account, signs the token or publishes an opaque one, and records
// its metadata and the operator in the registry.

import { randomBytes, randomUUID } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { kindOf, type Plan, type Scope } from '../../../shared/contract/scopes.ts';
import { requestedClaimsSchema } from '../../../shared/contract/token-claims.ts';
import { rowOf, type TokenRow } from '../../service/db/portal-store.ts';
import { apiToken } from '../../service/db/schema.ts';
import {
  assertClaims,
  assertUsable,
  DEVELOPMENT,
  type KeyStore,
  type MintedToken,
  mintToken,
  signingKey,
} from '../admin/keys.ts';
import { ensureAccount } from './accounts.ts';
import type { EdgeStore } from './edge-store.ts';
import { hashOf, idOfOpaque, type OpaqueTokens, publishOpaqueToken } from './opaque-tokens.ts';
import { type Administrator, brokenRule, type RegistryChange } from './registry.ts';

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
 * @throws Error if the account does not exist or does not have the requested rights, or the service would
 *   not take the subject, scopes or origins
 */
export async function issueToken(
  administrator: Administrator,
  by: KeyStore | OpaqueTokens,
  request: IssueRequest,
): Promise<MintedToken> {
  const { actor, registry } = administrator;
  const { account, scopes, votesForUsers } = request;
  assertClaims(requestedClaimsSchema, { sub: request.subject, scp: scopes, org: request.origins });
  return registry.transaction(async (tx) => {
    const { hash, keyId, text } = formOf(by);
    const issuedAt = Math.floor(Date.now() / 1000) * 1000;
    const life = request.expiresInSeconds;
    const row = {
      id: randomUUID(),
      account_id: account,
      subject: request.subject,
      kind: kindOf(scopes, votesForUsers),
      plan: request.plan,
      pilot: request.pilot,
      scopes,
      origins: request.origins,
      votes_for_users: votesForUsers,
      key_id: keyId,
      token_hash: hash,
      note: request.note,
      issued_at: issuedAt,
      expires_at: life === undefined ? null : issuedAt + life * 1000,
    };
    const token = sql`jsonb_populate_record(NULL::api_token, ${JSON.stringify(row)}::jsonb)`;
    const issue = sql`issue_token(${actor}, 'token mint', ${token}, '{}')`;
    return publish(by, text, await enter(tx, { token: '', account }, issue));
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
  const { actor, registry } = administrator;
  return registry.transaction(async (tx) => {
    const [old] = await tx.select().from(apiToken).where(eq(apiToken.id, id));
    const by = old?.tokenHash == null ? keys : { store };
    const { hash, keyId, text } = formOf(by);
    const issuedAt = Math.floor(Date.now() / 1000) * 1000;
    const replacement = sql`replace_token(${actor}, ${id}, ${graceSeconds * 1000}, ${randomUUID()}, ${hash},
      ${keyId}, ${issuedAt})`;
    const names = { token: id, account: old?.accountId ?? '', replacedBy: old?.replacedBy };
    return publish(by, text, await enter(tx, names, replacement));
  });
}

/** Hash and text of an opaque token, or the id of the key that signs. */
function formOf(by: KeyStore | OpaqueTokens) {
  if ('keys' in by) return { hash: null, text: undefined, keyId: signingKey(by).kid };
  const text = by.text ?? randomBytes(16).toString('hex');
  return { hash: hashOf(text), text, keyId: null };
}

/** What messages name. */
interface Names {
  readonly token: string;
  readonly account: string;
  readonly replacedBy?: string | null | undefined;
}

/** Record a token with a function of the database. */
async function enter(tx: RegistryChange, names: Names, made: SQL): Promise<TokenRow> {
  const { rows } = await tx
    .execute<{ row: object }>(sql`SELECT to_jsonb(made) AS row FROM ${made} AS made`)
    .catch((error: unknown) => {
      const rule = brokenRule(error);
      throw rule === undefined ? error : ruleError(rule, names);
    });
  return rowOf(rows[0]!.row);
}

/**
 * Sign a recorded token, or publish an opaque one. Last, so that no token is published without an entry,
 * unless the commit fails: then it is never printed.
 */
async function publish(
  by: KeyStore | OpaqueTokens,
  text: string | undefined,
  row: TokenRow,
): Promise<MintedToken> {
  const { id: tokenId, kind, issuedAt, expiresAt, keyId } = row;
  const fields = { tokenId, kind, issuedAt, expiresAt };
  if (!('keys' in by)) {
    await publishOpaqueToken(by.store, row);
    return { ...fields, token: text!, keyId };
  }
  const request = { ...row, account: row.accountId, expiresInSeconds: undefined };
  const minted = await mintToken(by, request, issuedAt, fields);
  assertUsable(minted.token);
  return minted;
}

/** @returns an Error that names the broken rule and the command that changes it */
function ruleError(code: string, { token, account: name, replacedBy }: Names): Error {
  const commands = 'npm run tokens -- account';
  const texts: Readonly<Record<string, string>> = {
    token_unknown: `There is no token ${token}.`,
    token_replaced: `It was replaced already, by ${replacedBy}. Rotate that token.`,
    token_revoked: 'It was revoked, and is not replaced.',
    account_unknown: `There is no account ${name}. Make it with: ${commands} create ${name}`,
    account_erased: `The account ${name} was erased.`,
    account_suspended: `The account ${name} is suspended: ${commands} resume ${name}`,
    plan_exceeded: `The account ${name} has the standard plan: ${commands} set ${name} --plan enterprise`,
    pilot_exceeded: `The account ${name} may not plan routes: ${commands} set ${name} --pilot`,
    admin_exceeded: `The account ${name} may have no administrators: ${commands} set ${name} --admin`,
  };
  return new Error(texts[code] ?? code);
}
