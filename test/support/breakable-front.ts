// The service behind a front that can be taken away and brought back at one address, as a network can.

import { Agent, createServer, request } from 'node:http';
import { listen } from './listen.ts';

export interface BreakableFront {
  readonly address: string;
  /** What becomes of requests: they reach the service; nobody answers; the chart is refused. */
  state: 'up' | 'down' | 'refusing';
  stop(): Promise<void>;
}

/** @param port of the service on this machine */
export async function openBreakableFront(port: number): Promise<BreakableFront> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    if (front.state === 'down') return void incoming.socket.destroy();
    if (front.state === 'refusing' && incoming.url?.startsWith('/api/')) {
      return void outgoing.writeHead(401, { 'content-type': 'application/problem+json' }).end('{}');
    }
    const { method, url: path, headers } = incoming;
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => incoming.socket.destroy());
    incoming.pipe(asked);
  });
  const front: BreakableFront = {
    address: `http://127.0.0.1:${await listen(server)}`,
    state: 'up',
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      agent.destroy();
    },
  };
  return front;
}
