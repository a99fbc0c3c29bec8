// Creates the revocation list from the registry and publishes it to the edge, which checks reads with it.

import { and, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import {
  REVOCATIONS_KEY,
  type Revocations,
  revocationsSchema,
} from '../../../shared/contract/revocations.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../../shared/contract/token-claims.ts';
import { account, apiToken } from '../../service/db/schema.ts';
import type { EdgeStore } from './edge-store.ts';
import { DATABASE_NOW_MS, type Registry, type RegistryChange } from './registry.ts';

/** Advisory lock, so that the latest list is published last. */
const TURN = sql`SELECT pg_advisory_xact_lock(402, 0)`;

/** Publish the list. @returns the published list */
export function publishRevocations(registry: Registry, store: EdgeStore): Promise<Revocations> {
  return registry.transaction(async (tx) => {
    await tx.execute(TURN);
    const list = await revocationsOf(tx);
    await store.put(REVOCATIONS_KEY, JSON.stringify(list));
    return list;
  });
}

/** The last published list; `undefined` if none was published. */
export async function publishedRevocations(store: EdgeStore): Promise<Revocations | undefined> {
  const text = await store.get(REVOCATIONS_KEY);
  return text === undefined ? undefined : revocationsSchema.parse(JSON.parse(text));
}

/** The current list. Expired tokens are omitted, because the edge rejects them by their claims. */
export async function revocationsOf(tx: Registry | RegistryChange): Promise<Revocations> {
  const lastsMs = sql`${DATABASE_NOW_MS} - ${CLOCK_TOLERANCE_SECONDS * 1000}::bigint`;
  const revoked = await tx
    .select({
      id: apiToken.id,
      revokedAt: apiToken.revokedAt,
      hasEnded: sql<boolean>`${apiToken.revokedAt} <= ${DATABASE_NOW_MS}`,
    })
    .from(apiToken)
    .where(
      and(
        isNotNull(apiToken.revokedAt),
        or(isNull(apiToken.expiresAt), gt(apiToken.expiresAt, lastsMs)),
      ),
    )
    .orderBy(apiToken.id);
  const suspended = await tx
    .select({ id: account.id })
    .from(account)
    .where(isNotNull(account.suspendedAt))
    .orderBy(account.id);
  const renewed = await tx
    .select({ id: account.id, generation: account.generation })
    .from(account)
    .where(gt(account.generation, 0))
    .orderBy(account.id);
  const ending = revoked.filter(({ hasEnded }) => !hasEnded);
  return {
    tokens: revoked.filter(({ hasEnded }) => hasEnded).map(({ id }) => id),
    ending: Object.fromEntries(ending.map(({ id, revokedAt }) => [id, revokedAt ?? 0])),
    suspended: suspended.map(({ id }) => id),
    generations: Object.fromEntries(renewed.map(({ id, generation }) => [id, generation])),
  };
}
