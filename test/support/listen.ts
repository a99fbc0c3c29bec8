// Servers of tests on a free port of this machine.

import type { AddressInfo, Server } from 'node:net';

/** Starts a server. @returns its port */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
