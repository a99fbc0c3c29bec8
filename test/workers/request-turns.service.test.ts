// Pipelined requests of a connection.

import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { inTurn } from '../../workers/host/front/request-turns.ts';

test('a connection ends if hundreds of requests wait for their turn', async () => {
  let isOpen = true;
  const socket = { writable: true, destroy: () => (isOpen = false) };
  const begun: EventEmitter[] = [];
  const handle = inTurn((_, outgoing) => void begun.push(outgoing));
  const send = () => handle({ socket } as never, new EventEmitter() as never);
  const answer = async () => {
    begun.at(-1)!.emit('close');
    await new Promise(setImmediate);
  };
  for (let i = 0; i < 1000; i++) {
    send();
    await new Promise(setImmediate);
    await answer();
  }
  expect([isOpen, begun.length]).toEqual([true, 1000]);
  for (let i = 0; i < 256; i++) send();
  await new Promise(setImmediate);
  expect([isOpen, begun.length]).toEqual([true, 1001]);
  send();
  expect(isOpen).toBe(true);
  send();
  expect(isOpen).toBe(false);
});
