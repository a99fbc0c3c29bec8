// The one way to the database: SQL over HTTP by Neon's driver, to Neon itself or to the proxy that
// stands before a database on this machine.

import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http';
import type { Env } from '../runtime/env.ts';
import { requestIds } from '../runtime/log.ts';

export type Database = NeonHttpDatabase & { readonly $client: NeonQueryFunction<false, false> };

const NEON_ENDPOINT = neonConfig.fetchEndpoint;

/** The request's id goes along, so that what the database complains of can be found again. */
neonConfig.fetchFunction = (address: string, init: RequestInit) => {
  const requestId = requestIds.getStore();
  if (requestId === undefined) return fetch(address, init);
  const headers = new Headers(init.headers);
  headers.set('x-request-id', requestId);
  return fetch(address, { ...init, headers });
};

/** A database for one question; undefined where the deployment has none. */
export function openDatabase(env: Env, signal: AbortSignal): Database | undefined {
  const { DATABASE_URL, DATABASE_PROXY } = env;
  if (DATABASE_URL === undefined || DATABASE_URL === '') return undefined;
  neonConfig.fetchEndpoint =
    DATABASE_PROXY === undefined ? NEON_ENDPOINT : `http://${DATABASE_PROXY}/sql`;
  return drizzle({ client: neon(DATABASE_URL, { fetchOptions: { signal } }) });
}
