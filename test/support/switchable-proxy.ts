// A proxy in front of the service. Tests switch it off and on at the same address, like a network.

import { Agent, createServer, request } from 'node:http';
import { listen } from './listen.ts';

export interface SwitchableProxy {
  readonly address: string;
  /** `down`: connections are closed. `refusing`: requests to `/api/` get 401. */
  state: 'up' | 'down' | 'refusing';
  stop(): Promise<void>;
}

/** @param port of the service on this machine */
export async function openSwitchableProxy(port: number): Promise<SwitchableProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    if (front.state === 'down') return void incoming.socket.destroy();
    if (front.state === 'refusing' && incoming.url?.startsWith('/api/')) {
      return void outgoing.writeHead(401, { 'content-type': 'application/problem+json' }).end('{}');
    }
    const { method, url: path, headers } = incoming;
    const forwarded = request(
      { host: '127.0.0.1', port, method, path, headers, agent },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  const front: SwitchableProxy = {
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
