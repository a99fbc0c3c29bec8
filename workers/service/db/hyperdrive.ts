// Answers requests of Neon's driver with `pg` through Cloudflare Hyperdrive. The driver converts
// values and errors, so both ways to the database give the same results.
//
// A transaction is sent statement by statement: after a failed BEGIN, a pooler could run the
// statements that are already on their way outside a transaction.

import type { Client } from 'pg';

interface Statement {
  readonly query: string;
  readonly params: readonly unknown[];
}

type Body = Statement | { readonly queries: readonly Statement[] };

/** The part of a response that Neon's driver reads. */
export interface DriverResponse {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

/** Values stay texts, which Neon's driver parses. */
const AS_TEXT = { getTypeParser: () => (value: unknown) => value } as never;

/** PostgreSQL, Appendix A: `sqlclient_unable_to_establish_sqlconnection`, `too_many_connections`. */
const NOT_CONNECTED = '08001';
const TOO_MANY_CONNECTIONS = '53300';

/** One connection, closed when the signal is aborted. Requests run one after the other. */
export class HyperdriveConnection {
  readonly #connectionString: string;
  readonly #signal: AbortSignal;
  #client: Promise<Client> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connectionString: string, signal: AbortSignal) {
    this.#connectionString = connectionString;
    this.#signal = signal;
  }

  /** @param body as Neon's driver sends it @throws if the connection was lost or the signal aborted */
  answer(body: string): Promise<DriverResponse> {
    const next = this.#last.then(() => unlessAborted(this.#signal, this.#run(JSON.parse(body))));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #run(body: Body): Promise<DriverResponse> {
    this.#client ??= connect(this.#connectionString, this.#signal);
    const opened = this.#client;
    let isConnected = false;
    try {
      const client = await opened;
      isConnected = true;
      const isBatch = 'queries' in body;
      return response(
        200,
        isBatch ? { results: await transaction(client, body.queries) } : await run(client, body),
      );
    } catch (error) {
      // The server may have ended the connection. A retry needs a new one.
      this.#client = undefined;
      void opened.then(
        (client) => client.end(),
        () => undefined,
      );
      const refusal = refusalOf(error as Error, isConnected);
      if (refusal === undefined) throw error;
      return response(400, refusal);
    }
  }
}

/** `pg` is loaded here, so that it needs no memory without the binding. */
async function connect(connectionString: string, signal: AbortSignal): Promise<Client> {
  const { Client } = await import('pg');
  signal.throwIfAborted();
  const client = new Client({ connectionString, types: AS_TEXT });
  // Without a listener, an error between two queries would be an uncaught exception.
  client.on('error', () => undefined);
  signal.addEventListener('abort', () => void client.end(), { once: true });
  await client.connect();
  return client;
}

/** Statements are not named: Hyperdrive shares connections between clients. */
async function run(client: Client, { query, params }: Statement) {
  const { command, rowCount, fields, rows } = await client.query({
    text: query,
    values: [...params],
    rowMode: 'array',
  });
  return { command, rowCount, fields, rows };
}

async function transaction(client: Client, statements: readonly Statement[]) {
  await client.query('BEGIN');
  try {
    const results = [];
    for (const statement of statements) results.push(await run(client, statement));
    await client.query('COMMIT');
    return results;
  } catch (error) {
    if (isSqlError(error as Error)) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const isSqlError = (error: Error): boolean => 'severity' in error;

/** The fields of a refused statement; `undefined` if the connection was lost while it ran. */
function refusalOf(error: Error, isConnected: boolean): object | undefined {
  const { message } = error;
  if (isSqlError(error)) return { ...error, message, ...poolFault(error) };
  return isConnected ? undefined : { message, code: NOT_CONNECTED };
}

/** Hyperdrive's own errors have the code 58000. For these two, no statement reached the server. */
function poolFault({ message }: Error): { readonly code: string } | undefined {
  if (message.startsWith('Failed to acquire a connection')) return { code: TOO_MANY_CONNECTIONS };
  if (message.startsWith('Server connection attempt failed')) return { code: NOT_CONNECTED };
  return undefined;
}

const response = (status: number, body: object): DriverResponse => ({
  ok: status === 200,
  status,
  json: async () => body,
  text: async () => JSON.stringify(body),
});

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const stop = () => fail(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(done, fail).finally(() => signal.removeEventListener('abort', stop));
  });
}
