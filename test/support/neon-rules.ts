// Imitates Neon's SQL over HTTP with a PostgreSQL server on this machine. It follows the behaviour of
// Neon's proxy and shares no code with Leadline's proxy for other servers. Each request has its own session.
// Errors have Neon's fields and statuses. Answers have at most 64 MB. The server can sleep and take seconds
// to wake, and connections can be closed.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Client, DatabaseError } from 'pg';
import { listen } from './listen.ts';

export interface NeonRules {
  /** Host and port, for DATABASE_PROXY. */
  readonly place: string;
  /** Time that the server takes to wake for the next request. */
  wakeMs: number;
  /** The largest answer, bytes. */
  mostBytes: number;
  /** What becomes of the next requests, whose last entry stays. */
  fate: readonly Fate[];
  /** Headers of the last request. */
  readonly lastHeaders: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** As usual; the control plane does not wake the server; the connection is closed before or after it ran. */
export type Fate = 'served' | 'not woken' | 'closed before' | 'closed after';

const MAX_BYTES = 64 << 20;

interface Query {
  readonly query: string;
  readonly params?: readonly unknown[];
  readonly arrayMode?: boolean;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @param databaseUrl with the login that may come in */
export async function openNeonRules(databaseUrl: string): Promise<NeonRules> {
  const rules = {
    place: '',
    wakeMs: 0,
    mostBytes: MAX_BYTES,
    fate: ['served'] as readonly Fate[],
    lastHeaders: {} as Readonly<Record<string, unknown>>,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer(async (request, response) => {
    rules.lastHeaders = request.headers;
    const [fate = 'served', ...later] = rules.fate;
    if (later.length > 0) rules.fate = later;
    if (fate === 'closed before') return void request.socket.destroy();
    try {
      const text = await answered(request, response, databaseUrl, rules, fate);
      if (fate === 'closed after') return void request.socket.destroy();
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    } catch (error) {
      if (response.destroyed) return;
      response.writeHead(statusOf(error), { 'content-type': 'application/json' });
      response.end(JSON.stringify(fieldsOf(error as Error)));
    }
  });
  rules.place = `127.0.0.1:${await listen(server)}`;
  return rules;
}

const statusOf = (error: unknown): number =>
  error instanceof Refused ? error.status : error instanceof DatabaseError ? 400 : 400;

/** Every field is there; what is not known is empty or null. */
function fieldsOf(error: Error): object {
  const {
    code = '',
    severity = '',
    detail,
    hint,
    constraint,
    table,
    schema,
  } = error instanceof DatabaseError ? error : ({} as Partial<DatabaseError>);
  const known = { detail, hint, constraint, table, schema };
  const orNull = Object.entries(known).map(([name, value]) => [name, value ?? null]);
  return { message: error.message, code, severity, ...Object.fromEntries(orNull) };
}

interface Limits {
  readonly wakeMs: number;
  readonly mostBytes: number;
}

async function answered(
  request: IncomingMessage,
  response: ServerResponse,
  databaseUrl: string,
  { wakeMs, mostBytes }: Limits,
  fate: Fate,
): Promise<string> {
  if (request.method !== 'POST' || request.url !== '/sql') throw new Refused(404, 'not found');
  const given = String(request.headers['neon-connection-string'] ?? '');
  if (!URL.canParse(given)) throw new Refused(400, 'Invalid connection string');
  const [asked, own] = [new URL(given), new URL(databaseUrl)];
  if (asked.username !== own.username || asked.password !== own.password) {
    throw new Refused(400, `password authentication failed for user '${asked.username}'`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (body.length > MAX_BYTES) throw new Refused(413, 'request is too large');
  if (fate === 'not woken') throw new Refused(500, 'Control plane request failed');
  await new Promise((done) => setTimeout(done, wakeMs));
  if (response.destroyed) throw new Error('cancelled while connecting');
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  response.on('close', () => void client.end().catch(() => undefined));
  try {
    return await carriedOut(client, JSON.parse(body.toString()), request.headers, mostBytes);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function carriedOut(
  client: Client,
  payload: Query | { readonly queries: readonly Query[] },
  headers: IncomingMessage['headers'],
  mostBytes: number,
): Promise<string> {
  const one = async ({ query, params = [], arrayMode }: Query) => {
    const inArrays = arrayMode ?? headers['neon-array-mode'] === 'true';
    const isRaw = headers['neon-raw-text-output'] === 'true';
    const types = { getTypeParser: () => (value: unknown) => value };
    const { fields, rows, command, rowCount } = await client.query({
      text: query,
      // As texts, however they came.
      values: params.map((value) =>
        value === null || typeof value === 'string' ? value : JSON.stringify(value),
      ),
      rowMode: 'array',
      ...(isRaw ? { types: types as never } : {}),
    });
    const shaped = inArrays
      ? rows
      : rows.map((row: unknown[]) =>
          Object.fromEntries(row.map((value, at) => [fields[at]!.name, value])),
        );
    if (JSON.stringify(shaped).length > mostBytes) {
      throw new Refused(507, `response is too large (max is ${mostBytes} bytes)`);
    }
    return { rowAsArray: inArrays, fields, rows: shaped, command, rowCount };
  };
  if (!('queries' in payload)) return JSON.stringify(await one(payload));
  await client.query('BEGIN');
  try {
    const results = [];
    for (const query of payload.queries) results.push(await one(query));
    await client.query('COMMIT');
    return JSON.stringify({ results });
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
