// An HTTP client that sends paths as written and returns bodies as received. Unlike fetch, it follows no
// redirects, decompresses nothing and normalises nothing.

import { Agent, request } from 'node:http';

export interface Wanted {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function sendHttp(port: number, path: string, wanted: Wanted = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        method: wanted.method ?? 'GET',
        headers: wanted.headers as Record<string, string | string[]> | undefined,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        incoming.on('end', () => {
          const headers: Record<string, string> = {};
          for (const [name, value] of Object.entries(incoming.headers)) headers[name] = `${value}`;
          done({ status: incoming.statusCode!, headers, body: Buffer.concat(chunks) });
        });
      },
    );
    outgoing.on('error', fail);
    outgoing.end(wanted.body);
  });
}

export function closeConnections(): void {
  agent.destroy();
}

export const textOf = (answer: Answer): string => new TextDecoder().decode(answer.body);
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export const jsonOf = (answer: Answer): any => JSON.parse(textOf(answer));
