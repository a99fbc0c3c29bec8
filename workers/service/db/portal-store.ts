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
import { ruleError } from '../runtime/portal-errors.ts';
import { writeDatabase } from './ask-database.ts';
import { refusedRule } from './faults.ts';
import type { apiToken } from './schema.ts';

/** A recorded token. */
export type TokenRow = typeof apiToken.$inferSelect;

/** A row of `api_token` as JSON. */
export interface JsonRow {
  readonly id: string;
  readonly account_id: string;
  readonly subject: string;
  readonly kind: TokenRow['kind'];
  readonly plan: TokenRow['plan'];
  readonly pilot: boolean;
  readonly scopes: Scope[];
  readonly origins: string[];
  readonly votes_for_users: boolean;
  readonly generation: number;
  readonly key_id: string | null;
  readonly token_hash: string | null;
  readonly note: string | null;
  readonly issued_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly replaced_by: string | null;
}

export const rowOf = (row: JsonRow): TokenRow => ({
  id: row.id,
  accountId: row.account_id,
  subject: row.subject,
  kind: row.kind,
  plan: row.plan,
  pilot: row.pilot,
  scopes: row.scopes,
  origins: row.origins,
  votesForUsers: row.votes_for_users,
  generation: row.generation,
  keyId: row.key_id,
  tokenHash: row.token_hash,
  note: row.note,
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  replacedBy: row.replaced_by,
});

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

/** Call a function of the database that may refuse. @throws ApiError for a broken rule, 503 */
export async function callPortal<Row>(
  env: Env,
  statement: string,
  values: readonly unknown[],
  limits: { readonly limitMs?: number } = {},
): Promise<Row[]> {
  const storable = values.map((value) => (typeof value === 'string' ? storableText(value) : value));
  return writeDatabase(env, (write) => write.call<Row>(statement, storable), limits).catch(
    (error: unknown) => {
      const rule = refusedRule(error);
      throw (rule === undefined ? undefined : ruleError(rule)) ?? error;
    },
  );
}

/** PostgreSQL rejects U+0000 in texts, for example in the id of a request. No id contains U+FFFD. */
const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD');

/** Calls a function that returns one row of `api_token`. */
async function changed(env: Env, expression: string, values: readonly unknown[]) {
  const [row] = await callPortal<{ token: JsonRow }>(
    env,
    `SELECT to_jsonb(made) AS token FROM ${expression} AS made`,
    values,
  );
  return rowOf(row!.token);
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
  changed(env, 'portal_issue_token($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
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
  changed(env, 'portal_replace_token($1, $2, $3, $4, $5, $6)', [
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
  changed(env, 'portal_change_token($1, $2, $3, $4)', [
    session,
    id,
    change.name ?? null,
    change.origins ?? null,
  ]);

export async function revokeToken(env: Env, session: string, id: string): Promise<void> {
  await callPortal(env, 'SELECT portal_revoke_token($1, $2)', [session, id]);
}

interface TokenQuery {
  /** Only this token, of any account for an administrator. */
  readonly id?: string;
  readonly withEnded: boolean;
  /** Only tokens older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** Tokens of all accounts, for administrators. */
  readonly search?: TokenSearch;
}

/** `undefined` selects every value. */
interface TokenSearch {
  readonly account?: string | undefined;
  /** Id, or beginning of the name. */
  readonly text?: string | undefined;
}

interface ListedRow {
  readonly token: JsonRow;
  readonly user_id: string | null;
  readonly user_email: string | null;
  readonly standing: PortalToken['state'];
  readonly last_used_on: string | null;
  readonly requests: number;
}

/** The tokens of the user's account, or of all accounts, newest first. */
export async function listTokens(
  env: Env,
  session: string,
  { id, withEnded, before, limit, search }: TokenQuery,
): Promise<PortalToken[]> {
  const rows = await callPortal<{ one: ListedRow }>(
    env,
    'SELECT to_jsonb(listed) AS one FROM portal_list_tokens($1, $2, $3, $4, $5, $6, $7, $8) AS listed',
    [
      ...[session, id ?? null, withEnded, before ?? null, limit],
      ...[search !== undefined, search?.account ?? null, search?.text ?? null],
    ],
  );
  return rows.map(({ one }) => presentToken(one));
}

function presentToken({ token, ...found }: ListedRow): PortalToken {
  const { origins, note, kind, scopes } = token;
  return {
    id: token.id,
    accountId: token.account_id,
    name: note ?? token.subject,
    userId: found.user_id,
    userEmail: found.user_email,
    createdAt: token.issued_at,
    lastUsedAt: found.last_used_on === null ? null : Date.parse(found.last_used_on),
    restrictions: origins.length === 0 ? null : { hosts: origins.map(hostOfOrigin) },
    scopes,
    isPublic: kind === 'pk',
    isOpaque: token.token_hash !== null,
    state: found.standing,
    expiresAt: token.expires_at,
    revokedAt: token.revoked_at,
    requests30Days: found.requests,
  };
}

/**
 * Requests of the user's account by day.
 * @param since day in UTC
 * @param of for administrators: one account, or all without an id
 */
export async function usageByDay(
  env: Env,
  session: string,
  since: string,
  of?: { readonly account?: string | undefined },
) {
  const rows = await callPortal<{ one: AccountUsage['days'][number] }>(
    env,
    'SELECT to_jsonb(used) AS one FROM portal_usage($1, $2, $3, $4) AS used',
    [session, since, of !== undefined, of?.account ?? null],
  );
  return rows.map(({ one }) => one);
}

/** Delete expired sessions, sign-in links and sign-ins without a code. */
export async function sweepSessions(env: Env, nowMs: number): Promise<void> {
  for (const table of ['portal_session', 'portal_verification', 'portal_challenge']) {
    await callPortal(env, `DELETE FROM ${table} WHERE expires_at < $1`, [nowMs]);
  }
}

/** The revocation list that belongs at the edge now. */
export async function currentRevocations(env: Env): Promise<Revocations> {
  const [row] = await callPortal<{ list: unknown }>(env, 'SELECT revocation_list($1) AS list', [
    CLOCK_TOLERANCE_SECONDS * 1000,
  ]);
  return revocationsSchema.parse(row?.list);
}
