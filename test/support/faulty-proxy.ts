// A proxy before the database's proxy that can be slow, hang, break, or lose an answer after the
// statement was carried out.

import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { freshDatabase, type TestDatabase } from './database.ts';
import { listen } from './listen.ts';

/**
 * What becomes of a question: as it is; after a while; never answered; its answer or itself lost. Or its
 * answer breaks off in the middle (`half-answer`) or is none of a database's (a page, other JSON), and a
 * question that was carried out is said to have been refused, in half a sentence (`half-refusal`).
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
  /** For DATABASE_PROXY. */
  readonly place: string;
  /** Decides on each question. @param question as the driver sent it: JSON with the statement */
  decide: (question: string) => ProxyFault;
  /** Questions whose answers were lost on the way back. */
  readonly lost: number;
  close(): Promise<void>;
}

const SLOW_MS = 300;
/** What others than databases say. */
const OTHER: Readonly<Partial<Record<ProxyFault, string>>> = {
  'no-answer': '<h1>Please sign in</h1>',
  'other-answer': '{"status":"ok","results":[{}]}',
};

/** A database of a test's own whose bindings lead through the proxy; stopped with it. */
export async function databaseBehindProxy(): Promise<{
  readonly database: TestDatabase;
  readonly proxy: FaultyProxy;
  /** Bindings that do not lead through it. */
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

/** @param place of the proxy behind it */
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
