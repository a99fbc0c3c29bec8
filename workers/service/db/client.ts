// The database client, Neon's driver: SQL over HTTP to Neon or to the proxy of a local database, or
// over `pg` if Hyperdrive is bound.

import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http';
import type { Env } from '../runtime/env.ts';
import { requestIds } from '../runtime/log.ts';
import { type DriverResponse, HyperdriveConnection } from './hyperdrive.ts';

export type Database = NeonHttpDatabase & { readonly $client: NeonQueryFunction<false, false> };

/** The default, because tests reload this module after they have set a proxy. */
const NEON_ENDPOINT = neonConfig.defaults.fetchEndpoint;

/** `fetchOptions` of the driver. */
interface DriverRequest extends RequestInit {
  readonly hyperdrive?: HyperdriveConnection;
}

neonConfig.fetchFunction = (address: string, { hyperdrive, ...init }: DriverRequest) =>
  hyperdrive === undefined ? askOverHttp(address, init) : hyperdrive.answer(init.body as string);

/**
 * Sends the request id, for the log of the database. It reads the whole response, because the
 * driver treats only errors of `fetch` as a missing response; a truncated or invalid response would
 * look like a bug here.
 */
async function askOverHttp(address: string, init: RequestInit): Promise<DriverResponse> {
  const requestId = requestIds.getStore();
  const headers = new Headers(init.headers);
  if (requestId !== undefined) headers.set('x-request-id', requestId);
  const { ok, status, text } = await fetch(address, { ...init, headers }).then(async (answer) => ({
    ok: answer.ok,
    status: answer.status,
    text: await answer.text(),
  }));
  const body = ok || status === REFUSED ? parsed(text) : undefined;
  if (ok && !isResult(body)) throw new Error(NO_ANSWER);
  return { ok, status, json: async () => body, text: async () => text };
}

/** Status of Neon for SQL errors. */
const REFUSED = 400;
const NO_ANSWER = 'The response is not a database result.';

/** @throws Error without the text */
function parsed(text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Throws below.
  }
  throw new Error(NO_ANSWER);
}

/** Whether the body is the result of a statement or of a batch. */
function isResult(body: unknown): boolean {
  const { results, fields, rows } = body as Record<string, unknown>;
  if (Array.isArray(results)) {
    return results.every((one) => typeof one === 'object' && one !== null && isResult(one));
  }
  return Array.isArray(fields) && Array.isArray(rows);
}

/** The driver requires a URL, which only its HTTP requests use. */
const HYPERDRIVE_URL = 'postgresql://hyperdrive@hyperdrive.invalid/hyperdrive';

/**
 * A client for the queries of one call; `undefined` if the deployment has no database.
 * @param signal ends pending queries and closes the connection
 */
export function openDatabase(env: Env, signal: AbortSignal): Database | undefined {
  const { DATABASE_URL, DATABASE_PROXY, HYPERDRIVE } = env;
  if (HYPERDRIVE !== undefined) {
    const hyperdrive = new HyperdriveConnection(HYPERDRIVE.connectionString, signal);
    return drizzle({ client: neon(HYPERDRIVE_URL, { fetchOptions: { hyperdrive } }) });
  }
  if (DATABASE_URL === undefined || DATABASE_URL === '') return undefined;
  neonConfig.fetchEndpoint =
    DATABASE_PROXY === undefined ? NEON_ENDPOINT : `http://${DATABASE_PROXY}/sql`;
  return drizzle({ client: neon(DATABASE_URL, { fetchOptions: { signal } }) });
}
