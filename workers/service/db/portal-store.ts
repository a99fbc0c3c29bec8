// The functions of the database by which users manage the tokens of their account. Each checks the
// session and the role in its transaction.

import type { AccountUsage, PortalToken } from '../../../shared/contract/portal.ts';
import { type Revocations, revocationsSchema } from '../../../shared/contract/revocations.ts';
import type { Scope } from '../../../shared/contract/scopes.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  type TokenClaims,
} from '../../../shared/contract/token-claims.ts';
import { hostOfOrigin } from '../identity/origins.ts';
import type { Env } from '../runtime/env.ts';
import { callPortal, camelCased, resultsOf, runFunction } from './call-portal.ts';
import type { apiToken } from './schema.ts';

/** A recorded token. */
export type TokenRow = typeof apiToken.$inferSelect;

/** A row of `api_token` as JSON. */
export const rowOf = (row: object) => camelCased(row) as TokenRow;

/** The claims of an opaque token, as the edge store has them. */
export const claimsOfRow = (
  row: Omit<TokenRow, 'note' | 'keyId' | 'revokedAt' | 'replacedBy'>,
): TokenClaims => ({
  jti: row.id,
  acc: row.accountId,
  sub: row.subject,
  typ: row.kind,
  plan: row.plan,
  pilot: row.pilot,
  scp: row.scopes,
  ...(row.origins.length === 0 ? {} : { org: row.origins }),
  ext: row.votesForUsers,
  gen: row.generation,
  iat: row.issuedAt / 1000,
  ...(row.expiresAt === null ? {} : { exp: row.expiresAt / 1000 }),
});

/** Calls a function that returns one row of `api_token`. */
async function changed(env: Env, name: string, values: readonly unknown[]): Promise<TokenRow> {
  const [row] = await resultsOf<TokenRow>(env, name, values);
  return row!;
}

/** A new token. Its id and text are made by the caller, the same in every attempt. */
export interface NewToken {
  readonly id: string;
  readonly hash: string;
  readonly kind: TokenRow['kind'];
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly name: string;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
}

export const issueToken = (env: Env, session: string, made: NewToken): Promise<TokenRow> =>
  changed(env, 'portal_issue_token', [
    session,
    made.id,
    made.hash,
    made.kind,
    made.scopes,
    made.origins,
    made.name,
    made.issuedAt,
    made.expiresAt,
  ]);

export const replaceToken = (
  env: Env,
  session: string,
  old: { readonly id: string; readonly graceMs: number },
  made: Pick<NewToken, 'id' | 'hash' | 'issuedAt'>,
): Promise<TokenRow> =>
  changed(env, 'portal_replace_token', [
    session,
    old.id,
    old.graceMs,
    made.id,
    made.hash,
    made.issuedAt,
  ]);

/** `undefined` keeps a value. */
export const changeToken = (
  env: Env,
  session: string,
  id: string,
  change: { readonly name?: string | undefined; readonly origins?: readonly string[] | undefined },
): Promise<TokenRow> =>
  changed(env, 'portal_change_token', [session, id, change.name, change.origins]);

export const revokeToken = (env: Env, session: string, id: string): Promise<void> =>
  runFunction(env, 'portal_revoke_token', [session, id]);

interface TokenQuery {
  /** Only this token, of any account for an administrator. */
  readonly id?: string;
  readonly withEnded: boolean;
  /** Only tokens older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** Tokens of all accounts, for administrators. */
  readonly search?: {
    readonly account?: string | undefined;
    /** Id, or beginning of the name. */
    readonly text?: string | undefined;
  };
}

interface ListedRow {
  readonly token: object;
  readonly userId: string | null;
  readonly userEmail: string | null;
  readonly standing: PortalToken['state'];
  readonly lastUsedOn: string | null;
  readonly requests: number;
}

/** The tokens of the user's account, or of all accounts, newest first. */
export async function listTokens(
  env: Env,
  session: string,
  { id, withEnded, before, limit, search }: TokenQuery,
): Promise<PortalToken[]> {
  const rows = await resultsOf<ListedRow>(env, 'portal_list_tokens', [
    ...[session, id, withEnded, before, limit],
    ...[search !== undefined, search?.account, search?.text],
  ]);
  return rows.map(presentToken);
}

function presentToken({ token: row, ...found }: ListedRow): PortalToken {
  const token = rowOf(row);
  const { origins, note, kind, scopes } = token;
  return {
    id: token.id,
    accountId: token.accountId,
    name: note ?? token.subject,
    userId: found.userId,
    userEmail: found.userEmail,
    createdAt: token.issuedAt,
    lastUsedAt: found.lastUsedOn === null ? null : Date.parse(found.lastUsedOn),
    restrictions: origins.length === 0 ? null : { hosts: origins.map(hostOfOrigin) },
    scopes,
    isPublic: kind === 'pk',
    isOpaque: token.tokenHash !== null,
    state: found.standing,
    expiresAt: token.expiresAt,
    revokedAt: token.revokedAt,
    requests30Days: found.requests,
  };
}

/**
 * Requests of the user's account by day.
 * @param since day in UTC
 * @param of for administrators: one account, or all without an id
 */
export const usageByDay = (
  env: Env,
  session: string,
  since: string,
  of?: { readonly account?: string | undefined },
) =>
  resultsOf<AccountUsage['days'][number]>(env, 'portal_usage', [
    ...[session, since, of !== undefined, of?.account],
  ]);

const SWEPT_AT_ONCE = 5000;
const EXPIRING = ['portal_session', 'portal_verification', 'portal_reset', 'portal_challenge'];

/** Delete expired sessions, links and challenges, at most 5,000 of each in a call. */
export async function sweepSessions(env: Env, nowMs: number): Promise<void> {
  for (const table of EXPIRING) {
    await callPortal(
      env,
      `DELETE FROM ${table} WHERE id IN
         (SELECT id FROM ${table} WHERE expires_at < $1 LIMIT ${SWEPT_AT_ONCE})`,
      [nowMs],
    );
  }
}

/** The revocation list that belongs at the edge now. */
export async function currentRevocations(env: Env): Promise<Revocations> {
  const [list] = await resultsOf(env, 'revocation_list', [CLOCK_TOLERANCE_SECONDS * 1000]);
  return revocationsSchema.parse(list);
}
