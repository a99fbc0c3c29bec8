// A database whose machine does not answer any more.

import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { openJobStore } from '../../../tiles-build/uploads/job-store.ts';
import { listen } from '../../support/listen.ts';

/** Messages of PostgreSQL: ready for a query, and what precedes it after the start and after a statement. */
const READY = '5a0000000549';
const STARTED = `520000000800000000${READY}`;
const SET = `430000000853455400${READY}`;

test.each([
  ['connects', [], 'timeout'],
  ['asks', [STARTED, SET], 'Query read timeout'],
] as const)('a worker that %s does not wait for ever', async (_, answers, reason) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = createServer((socket) => {
    const left = [...answers];
    socket.on('data', () => {
      const answer = left.shift();
      if (answer === undefined) vi.advanceTimersByTime(60_000);
      else socket.write(Buffer.from(answer, 'hex'));
    });
  });
  const url = `postgresql://worker@127.0.0.1:${await listen(server)}/leadline`;
  const worker = { id: 'one', userPermit: undefined, hasProducers: false };
  const asked = openJobStore(url, worker, () => undefined).then((store) =>
    store.waiting().finally(store.close),
  );
  await expect(asked).rejects.toThrow(reason);
  server.close();
});
