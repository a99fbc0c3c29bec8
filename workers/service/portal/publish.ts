// Publishes changes of tokens to the edge store, which requests are checked with.

import { opaqueTokenKey } from '../../../shared/contract/opaque-token.ts';
import { REVOCATIONS_KEY } from '../../../shared/contract/revocations.ts';
import { claimsOfRow, currentRevocations, type TokenRow } from '../db/portal-store.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';

/** More changes during a publication are published by the requests that made them. */
const MAX_ROUNDS = 5;

/** Publish the claims of an opaque token. @throws ApiError 503 */
export async function publishToken(env: Env, row: TokenRow): Promise<void> {
  const key = opaqueTokenKey(row.tokenHash!);
  const claims = JSON.stringify(claimsOfRow(row));
  await withStore(env, (store) =>
    store.put(key, claims).catch(async () => {
      await afterRejection();
      await store.put(key, claims);
    }),
  );
}

/**
 * Publish the revocation list. If the list changed meanwhile, publish it again: of two requests at the
 * same time, the later one may have stored the older list.
 * @throws ApiError 503 if it cannot be published. Writes with the token have ended nevertheless.
 */
export async function publishRevocations(env: Env): Promise<void> {
  let published: string | undefined;
  let isRejected = false;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const list = JSON.stringify(await currentRevocations(env));
    if (list === published) return;
    try {
      await withStore(env, (store) => store.put(REVOCATIONS_KEY, list));
      published = list;
      isRejected = false;
    } catch (error) {
      if (isRejected) throw error;
      isRejected = true;
      // Another request may have published a newer list, so the list is read again.
      await afterRejection();
    }
  }
}

/**
 * Publish the revocation list if the edge store has another one: a process that ended between the database
 * and the edge store left it there.
 */
export async function repairRevocations(env: Env): Promise<void> {
  if (env.KV === undefined) return;
  const list = JSON.stringify(await currentRevocations(env));
  if ((await env.KV.get(REVOCATIONS_KEY)) !== list) await publishRevocations(env);
}

const DELETED_AT_ONCE = 6;

/** Delete entries of the edge store. @throws ApiError 503 */
export async function unpublish(env: Env, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) {
    const batch = keys.slice(at, at + DELETED_AT_ONCE);
    await withStore(env, (store) => Promise.all(batch.map((key) => store.delete(key))));
  }
}

/** Workers KV accepts one write per second to a key, so a rejected one is repeated once. */
const afterRejection = () => new Promise((done) => setTimeout(done, 1100));

async function withStore(
  { KV }: Env,
  work: (store: KVNamespace) => Promise<unknown>,
): Promise<void> {
  if (KV === undefined) throw new ApiError('tokens_unavailable');
  try {
    await work(KV);
  } catch (error) {
    logFault('edge store', error);
    throw new ApiError('tokens_unavailable');
  }
}
