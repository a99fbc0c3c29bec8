// Creates the revocation list from the registry and publishes it to the edge, which checks reads with it.

import { sql } from 'drizzle-orm';
import {
  REVOCATIONS_KEY,
  type Revocations,
  revocationsSchema,
} from '../../../shared/contract/revocations.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../../shared/contract/token-claims.ts';
import type { EdgeStore } from './edge-store.ts';
import type { Registry, RegistryChange } from './registry.ts';

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
  const { rows } = await tx.execute<{ list: unknown }>(
    sql`SELECT revocation_list(${CLOCK_TOLERANCE_SECONDS * 1000}) AS list`,
  );
  return revocationsSchema.parse(rows[0]?.list);
}
