// Finds, lists and revokes recorded tokens.

import { and, desc, eq, getTableColumns, max, type SQL, sql } from 'drizzle-orm';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { type TokenClaims, tokenClaimsSchema } from '../../../shared/contract/token-claims.ts';
import { account, apiToken, tokenUsage } from '../../service/db/schema.ts';
import { idOfOpaque } from './opaque-tokens.ts';
import { type Administrator, DATABASE_NOW_MS, type Registry } from './registry.ts';

/** Current state of a token. */
type TokenState = 'good' | 'expired' | 'revoked' | 'suspended' | 'outdated';

type ListedToken = Omit<typeof apiToken.$inferSelect, 'tokenHash'> & {
  readonly isOpaque: boolean;
  readonly state: TokenState;
  /** Day of the last request, in UTC; null before the first request. */
  readonly lastUsedAt: string | null;
};

const STATE = sql<TokenState>`CASE token_standing(${apiToken.id}, ${apiToken.accountId}, ${apiToken.generation})
  WHEN 'good' THEN CASE WHEN ${apiToken.expiresAt} <= ${DATABASE_NOW_MS} THEN 'expired' ELSE 'good' END
  ELSE token_standing(${apiToken.id}, ${apiToken.accountId}, ${apiToken.generation}) END`;

const { tokenHash, ...COLUMNS } = getTableColumns(apiToken);
const SHOWN = {
  ...COLUMNS,
  isOpaque: sql<boolean>`${tokenHash} IS NOT NULL`,
  state: STATE,
};

/** Newest first. */
export function listTokens(
  { registry }: Administrator,
  wanted: { readonly account?: string | undefined; readonly subject?: string | undefined },
): Promise<ListedToken[]> {
  const filters: SQL[] = [];
  if (wanted.account !== undefined) filters.push(eq(apiToken.accountId, wanted.account));
  if (wanted.subject !== undefined) filters.push(eq(apiToken.subject, wanted.subject));
  return listed(registry, and(...filters)).orderBy(desc(apiToken.issuedAt), desc(apiToken.id));
}

function listed(registry: Registry, condition: SQL | undefined) {
  const used = registry
    .select({ tokenId: tokenUsage.tokenId, lastUsedAt: max(tokenUsage.day).as('last_used_at') })
    .from(tokenUsage)
    .groupBy(tokenUsage.tokenId)
    .as('used');
  return registry
    .select({ ...SHOWN, lastUsedAt: used.lastUsedAt })
    .from(apiToken)
    .leftJoin(used, eq(used.tokenId, apiToken.id))
    .where(condition);
}

/**
 * Find a token by its id or its text.
 * @throws Error if no such token is recorded
 */
export async function findToken(
  { registry }: Administrator,
  tokenOrId: string,
): Promise<ListedToken> {
  const id = claimsOf(tokenOrId)?.jti ?? (await idOfOpaque(registry, tokenOrId)) ?? tokenOrId;
  const [found] = await listed(registry, eq(apiToken.id, id));
  if (found === undefined) throw new Error(`There is no token ${id}.`);
  return found;
}

/** Number of valid tokens that a key signed, and their latest expiry; `null` if one never expires. */
export async function tokensOfKey(
  { registry }: Administrator,
  keyId: string,
): Promise<{ number: number; lastExpiresAt: number | null }> {
  const found = await registry
    .select({ expiresAt: apiToken.expiresAt })
    .from(apiToken)
    .where(and(eq(apiToken.keyId, keyId), sql`${STATE} = 'good'`))
    .orderBy(desc(apiToken.expiresAt));
  return { number: found.length, lastExpiresAt: found[0]?.expiresAt ?? null };
}

/**
 * Revoke a token by its id or its text. The text also revokes a token that is not recorded, such as one
 * signed with a shared secret. Its signature must be valid, because anyone can write a token with the id
 * of another token or an unknown account.
 * @param isOurs whether one of the service's keys signed a token, expired or not
 * @returns the id of the token
 * @throws Error for an unknown id or an invalid signature
 */
export async function revokeToken(
  administrator: Administrator,
  tokenOrId: string,
  isOurs: (token: string) => Promise<boolean>,
): Promise<string> {
  const claims = claimsOf(tokenOrId);
  if (claims !== undefined && !(await isOurs(tokenOrId))) {
    throw new Error(
      `None of the keys here signed this token, so no service that has them takes it. The token that it names is revoked by its id: ${claims.jti}`,
    );
  }
  return administrator.registry.transaction(async (tx) => {
    const id = claims?.jti ?? (await idOfOpaque(tx, tokenOrId)) ?? tokenOrId;
    if (claims !== undefined) {
      await tx.insert(account).values({ id: claims.acc, plan: claims.plan }).onConflictDoNothing();
      await tx.insert(apiToken).values(rowOf(tokenOrId, claims)).onConflictDoNothing();
    }
    const [known] = await tx.select().from(apiToken).where(eq(apiToken.id, id));
    if (known === undefined) {
      throw new Error(
        `There is no token ${id}. One that was never entered is revoked by its text.`,
      );
    }
    await tx.execute(sql`SELECT revoke_token(${administrator.actor}, ${id})`);
    return id;
  });
}

/** Claims of a token, without a check of its signature; `undefined` if the text is not a token. */
export function claimsOf(text: string): TokenClaims | undefined {
  try {
    return tokenClaimsSchema.safeParse(decodeJwt(text)).data;
  } catch {
    return undefined;
  }
}

function rowOf(token: string, claims: TokenClaims): typeof apiToken.$inferInsert {
  return {
    id: claims.jti,
    accountId: claims.acc,
    subject: claims.sub,
    kind: claims.typ,
    plan: claims.plan,
    pilot: claims.pilot,
    scopes: claims.scp,
    origins: claims.org ?? [],
    votesForUsers: claims.ext,
    generation: claims.gen,
    keyId: decodeProtectedHeader(token).kid ?? null,
    issuedAt: claims.iat * 1000,
    expiresAt: claims.exp === undefined ? null : claims.exp * 1000,
  };
}
