// The one way to the database: SQL over HTTP by Neon's driver, to Neon itself or to the proxy that
// stands before a database on this machine.

import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http';
import type { Env } from '../runtime/env.ts';
import { requestIds } from '../runtime/log.ts';

export type Database = NeonHttpDatabase & { readonly $client: NeonQueryFunction<false, false> };

/** Not what is set when this module is loaded: tests load it anew after others set a proxy. */
const NEON_ENDPOINT = neonConfig.defaults.fetchEndpoint;

/**
 * The request's id goes along, so that what the database complains of can be found again. The answer is
 * read whole here: of what is thrown here the driver knows that the question was not answered, while one
 * that breaks off after its head, or is none of a database's, would pass for a fault of ours.
 */
neonConfig.fetchFunction = async (address: string, init: RequestInit) => {
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
};

/** By Neon, for what SQL refuses. */
const REFUSED = 400;
const NO_ANSWER = 'What came is no answer of a database.';

/** @throws Error that tells nothing of the text */
function parsed(text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Said below.
  }
  throw new Error(NO_ANSWER);
}

/** Of one statement, or of each of a batch. */
function isResult(body: unknown): boolean {
  const { results, fields, rows } = body as Record<string, unknown>;
  if (Array.isArray(results)) {
    return results.every((one) => typeof one === 'object' && one !== null && isResult(one));
  }
  return Array.isArray(fields) && Array.isArray(rows);
}

/** A database for one question; undefined where the deployment has none. */
export function openDatabase(env: Env, signal: AbortSignal): Database | undefined {
  const { DATABASE_URL, DATABASE_PROXY } = env;
  if (DATABASE_URL === undefined || DATABASE_URL === '') return undefined;
  neonConfig.fetchEndpoint =
    DATABASE_PROXY === undefined ? NEON_ENDPOINT : `http://${DATABASE_PROXY}/sql`;
  return drizzle({ client: neon(DATABASE_URL, { fetchOptions: { signal } }) });
}
