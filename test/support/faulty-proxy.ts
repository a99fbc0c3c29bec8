// A proxy in front of the database proxy that can be slow, hang, break off, or lose a response after the
// statement was executed.

import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { freshDatabase, type TestDatabase } from './database.ts';
import { listen } from './listen.ts';

/**
 * The fate of a query: unchanged, delayed, never answered, or lost with or without execution. The
 * response can also break off in the middle (`half-answer`) or be invalid (an HTML page, other JSON).
 * `half-refusal` executes the query and sends an incomplete error.
 */
export type ProxyFault =
  | 'none'
  | 'slow'
  | 'hang'
  | 'lose-answer'
  | 'half-answer'
  | 'no-answer'
  | 'other-answer'
  | 'half-refusal'
  | 'reset'
  | 'broken';

export interface FaultyProxy {
  /** The value for DATABASE_PROXY. */
  readonly place: string;
  /** Chooses the fault of each query. @param question from the driver: JSON with the statement */
  decide: (question: string) => ProxyFault;
  /** The number of queries whose responses were lost. */
  readonly lost: number;
  close(): Promise<void>;
}

const SLOW_MS = 300;
/** Responses that do not come from a database. */
const OTHER: Readonly<Partial<Record<ProxyFault, string>>> = {
  'no-answer': '<h1>Please sign in</h1>',
  'other-answer': '{"status":"ok","results":[{}]}',
};

/** A separate database for one test whose bindings lead through the proxy. It is stopped with the proxy. */
export async function databaseBehindProxy(): Promise<{
  readonly database: TestDatabase;
  readonly proxy: FaultyProxy;
  /** Bindings that bypass the proxy. */
  readonly direct: TestDatabase['bindings'];
}> {
  const own = await freshDatabase();
  const direct = own.bindings;
  const proxy = await openFaultyProxy(direct.DATABASE_PROXY!);
  const database = {
    ...own,
    bindings: { ...direct, DATABASE_PROXY: proxy.place },
    stop: async () => {
      await proxy.close();
      await own.stop();
    },
  };
  return { database, proxy, direct };
}

/** @param place host and port of the database proxy */
async function openFaultyProxy(place: string): Promise<FaultyProxy> {
  const [host, port] = place.split(':') as [string, string];
  const agent = new Agent({ keepAlive: true });
  let lost = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await bytesOf(incoming);
    const fault = proxy.decide(body.toString());
    if (fault === 'hang') return;
    if (fault === 'reset') return void incoming.socket.destroy();
    if (fault === 'broken') {
      outgoing.writeHead(500, { 'content-type': 'application/json' });
      return void outgoing.end('{"message":"Control plane request failed"}');
    }
    if (fault === 'slow') await new Promise((done) => setTimeout(done, SLOW_MS));
    const { method, url: path, headers } = incoming;
    const asked = request({ host, port, method, path, headers, agent }, async (answer) => {
      const answered = await bytesOf(answer);
      if (fault === 'lose-answer') {
        lost++;
        incoming.socket.destroy();
        return;
      }
      const status = fault === 'half-refusal' ? 400 : answer.statusCode!;
      const type = fault === 'no-answer' ? 'text/html' : 'application/json';
      if (fault === 'half-answer' || fault === 'half-refusal') {
        lost++;
        outgoing.writeHead(status, { 'content-type': type, 'content-length': answered.length });
        outgoing.write(answered.subarray(0, answered.length / 2), () => outgoing.destroy());
        return;
      }
      outgoing.writeHead(status, { 'content-type': type });
      outgoing.end(OTHER[fault] ?? answered);
    });
    asked.on('error', () => incoming.socket.destroy());
    asked.end(body);
  });
  const proxy: FaultyProxy = {
    place: `127.0.0.1:${await listen(server)}`,
    decide: () => 'none',
    get lost() {
      return lost;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
  return proxy;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
