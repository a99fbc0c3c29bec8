// Serves Neon's SQL-over-HTTP protocol for any PostgreSQL server, so that the Worker uses the same driver
// everywhere. Listens on 127.0.0.1 and accepts only one login.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseError, Pool, type PoolClient, type QueryArrayResult } from 'pg';
import { loggable } from '../../service/runtime/loggable.ts';

export interface NeonProxy {
  readonly port: number;
  /** Use the same login and database at another address. */
  retarget(databaseUrl: string): void;
  close(): Promise<void>;
}

/** A statement as Neon's driver sends it. */
interface Statement {
  readonly query: string;
  readonly params?: readonly unknown[];
  readonly arrayMode?: boolean;
}

type Body = Statement | { readonly queries: readonly Statement[] };

const MAX_CONNECTIONS = 12;
const CONNECT_LIMIT_MS = 2000;
/** Longer than the Worker's and the statement's timeout, for a server that hangs. */
const QUERY_LIMIT_MS = 12_000;
const MAX_BODY_BYTES = 64 << 20;

const ISOLATION: Readonly<Record<string, string>> = {
  ReadUncommitted: 'READ UNCOMMITTED',
  ReadCommitted: 'READ COMMITTED',
  RepeatableRead: 'REPEATABLE READ',
  Serializable: 'SERIALIZABLE',
};

/** Do not parse values: the driver in the Worker does. */
const AS_TEXT = { getTypeParser: () => (value: unknown) => value };

/** Receives faults of statements, without their text and values. */
export type FaultListener = (fault: {
  readonly requestId: string | undefined;
  readonly code: string | undefined;
  readonly message: string;
}) => void;

/**
 * Open the proxy.
 * @param databaseUrl connection URL of the database, with the accepted login
 * @param onFault called for each error response
 */
export async function openNeonProxy(
  databaseUrl: string,
  onFault: FaultListener = () => undefined,
): Promise<NeonProxy> {
  let pool = poolOf(databaseUrl);
  const server = createServer((request, response) => {
    if (isSameLogin(request.headers['neon-connection-string'], databaseUrl)) {
      void answer(pool, request, response, onFault);
    } else reply(response, 400, { message: 'password authentication failed', code: '28P01' });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    retarget: (url) => {
      const before = pool;
      pool = poolOf(url);
      void before.end().catch(() => undefined);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await pool.end();
    },
  };
}

function poolOf(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: QUERY_LIMIT_MS,
    types: AS_TEXT as never,
  });
  // The pool replaces broken connections, and a pending query is rejected. Without listeners, the error
  // events would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Compares only user, password and database, because the driver adds parameters to the URL. */
function isSameLogin(given: unknown, databaseUrl: string): boolean {
  if (typeof given !== 'string' || !URL.canParse(given)) return false;
  const loginOf = ({ username, password, pathname }: URL) =>
    JSON.stringify([username, password, pathname]);
  return loginOf(new URL(given)) === loginOf(new URL(databaseUrl));
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function answer(
  pool: Pool,
  request: IncomingMessage,
  response: ServerResponse,
  onFault: FaultListener,
) {
  const send = (status: number, body: unknown) => reply(response, status, body);
  if (request.method !== 'POST' || request.url !== '/sql')
    return send(404, { message: 'not found' });
  try {
    const body = (await readBody(request)) as Body;
    const inArrays = request.headers['neon-array-mode'] === 'true';
    const client = await connection(pool);
    // The Worker has already reported a timeout, so the statement must not be executed.
    if (response.destroyed) return client.release();
    const result =
      'queries' in body
        ? { results: await transaction(client, body.queries, request.headers, inArrays) }
        : await single(client, body, inArrays);
    return send(200, result);
  } catch (error) {
    if (response.destroyed) return undefined;
    const id = request.headers['x-request-id'];
    onFault({
      requestId: typeof id === 'string' ? id : undefined,
      code: error instanceof DatabaseError ? error.code : undefined,
      message: loggable(error).message,
    });
    // As Neon does: 400 with a code for SQL errors, 500 without a code for connection errors.
    if (error instanceof DatabaseError) return send(400, { ...error, message: error.message });
    if (error instanceof NotConnected) {
      return send(400, { message: error.message, code: error.code });
    }
    return send(500, { message: error instanceof Error ? error.message : String(error) });
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the statement is too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** No statement was sent. */
class NotConnected extends Error {
  /** PostgreSQL, Appendix A: `sqlclient_unable_to_establish_sqlconnection`, `too_many_connections`. */
  readonly code: '08001' | '53300';

  constructor(message: string, code: '08001' | '53300') {
    super(message);
    this.code = code;
  }
}

/** @throws NotConnected; DatabaseError if the server rejects the login */
async function connection(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const isFull = pool.totalCount >= MAX_CONNECTIONS;
    throw new NotConnected(String(error), isFull ? '53300' : '08001');
  }
}

async function single(client: PoolClient, statement: Statement, inArrays: boolean) {
  let broken: Error | undefined;
  try {
    const result = await put(client, statement).catch((error: unknown) => {
      if (!isChanged(error)) throw error;
      return putUnnamed(client, statement);
    });
    return shaped(result, statement.arrayMode ?? inArrays);
  } catch (error) {
    if (!(error instanceof DatabaseError)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

function put(client: PoolClient, statement: Statement) {
  const words = wordsOf(statement);
  const name = nameOf(statement.query);
  return client.query(name === undefined ? words : { ...words, name });
}

const putUnnamed = (client: PoolClient, statement: Statement) => client.query(wordsOf(statement));

/** The tables have changed since a statement was prepared. */
const isChanged = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === CHANGED;

/**
 * Function calls are prepared once for each connection; the Worker has few. Other statements are planned
 * each time, because a plan for empty tables becomes unsuitable as they grow.
 */
const IS_CALL = /^\s*SELECT (\* FROM )?\w+\(/;
const MAX_NAMES = 200;
/** PostgreSQL, Appendix A: `feature_not_supported`, for a prepared statement whose columns changed. */
const CHANGED = '0A000';

/** Names of prepared statements, by their text. */
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES || !IS_CALL.test(text)) return known;
  const name = `proxy_${names.size}`;
  names.set(text, name);
  return name;
}

/** Execute a batch in one transaction. */
async function transaction(
  client: PoolClient,
  statements: readonly Statement[],
  headers: IncomingMessage['headers'],
  inArrays: boolean,
) {
  const isolation = ISOLATION[String(headers['neon-batch-isolation-level'])];
  const modes = [
    ...(isolation === undefined ? [] : [`ISOLATION LEVEL ${isolation}`]),
    ...(headers['neon-batch-read-only'] === 'true' ? ['READ ONLY'] : []),
    ...(headers['neon-batch-deferrable'] === 'true' ? ['DEFERRABLE'] : []),
  ];
  const carryOut = async (putOne: typeof put) => {
    await client.query(`BEGIN ${modes.join(', ')}`);
    const results = [];
    for (const statement of statements) {
      const result = await putOne(client, statement);
      results.push(shaped(result, statement.arrayMode ?? inArrays));
    }
    await client.query('COMMIT');
    return results;
  };
  let broken: Error | undefined;
  try {
    return await carryOut(put).catch(async (error: unknown) => {
      if (!isChanged(error)) throw error;
      await client.query('ROLLBACK');
      return carryOut(putUnnamed);
    });
  } catch (error) {
    broken = error as Error;
    if (error instanceof DatabaseError) {
      broken = await client.query('ROLLBACK').then(
        () => undefined,
        (late: Error) => late,
      );
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

const wordsOf = ({ query, params }: Statement) => ({
  text: query,
  values: [...(params ?? [])],
  rowMode: 'array' as const,
});

function shaped(result: QueryArrayResult, inArrays: boolean) {
  const { command, rowCount, fields, rows } = result;
  const named = (row: unknown[]) =>
    Object.fromEntries(row.map((value, at) => [fields[at]?.name ?? '', value]));
  return {
    command,
    rowCount,
    rowAsArray: inArrays,
    fields,
    rows: inArrays ? rows : rows.map(named),
  };
}
