// Opaque tokens: made at random, found by their hash, and published to the edge store, where the Worker
// looks them up. The text of a token is never stored.

import { createHash } from 'node:crypto';
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { isOpaqueToken, opaqueTokenKey } from '../../../shared/contract/opaque-token.ts';
import { opaqueClaimsSchema, type TokenClaims } from '../../../shared/contract/token-claims.ts';
import { claimsOfRow } from '../../service/db/portal-store.ts';
import { apiToken } from '../../service/db/schema.ts';
import { assertClaims } from '../admin/keys.ts';
import type { EdgeStore } from './edge-store.ts';
import { DATABASE_NOW_MS, type Registry, type RegistryChange } from './registry.ts';

/** Where opaque tokens are published; used in place of signing keys. */
export interface OpaqueTokens {
  readonly store: EdgeStore;
  /** Text of the new token; random by default. */
  readonly text?: string;
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

type Row = Omit<typeof apiToken.$inferSelect, 'note' | 'keyId' | 'revokedAt' | 'replacedBy'>;

/** Publish the claims of a token. @throws Error that names each claim the service would refuse */
export async function publishOpaqueToken(store: EdgeStore, row: Row): Promise<void> {
  const claims: TokenClaims = claimsOfRow(row);
  assertClaims(opaqueClaimsSchema, claims);
  await store.put(opaqueTokenKey(row.tokenHash!), JSON.stringify(claims));
}

/** Publish every valid opaque token again. @returns the number of tokens */
export async function publishOpaqueTokens(registry: Registry, store: EdgeStore): Promise<number> {
  const isValid = sql`coalesce(least(${apiToken.expiresAt}, ${apiToken.revokedAt}) > ${DATABASE_NOW_MS}, true)`;
  const rows = await registry
    .select()
    .from(apiToken)
    .where(and(isNotNull(apiToken.tokenHash), isValid));
  for (const row of rows) await publishOpaqueToken(store, row);
  return rows.length;
}

/** Keys in the edge store of the tokens that the condition selects. */
export async function opaqueKeys(registry: Registry, condition: SQL): Promise<string[]> {
  const rows = await registry
    .select({ hash: apiToken.tokenHash })
    .from(apiToken)
    .where(and(isNotNull(apiToken.tokenHash), condition));
  return rows.map(({ hash }) => opaqueTokenKey(hash!));
}

/** Id of a recorded opaque token; `undefined` if the text is not one. */
export async function idOfOpaque(
  registry: Registry | RegistryChange,
  text: string,
): Promise<string | undefined> {
  if (!isOpaqueToken(text)) return undefined;
  const [found] = await registry
    .select({ id: apiToken.id })
    .from(apiToken)
    .where(eq(apiToken.tokenHash, hashOf(text)));
  return found?.id;
}
