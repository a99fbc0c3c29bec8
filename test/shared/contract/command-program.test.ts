import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { endIfOutputFails } from '../../../shared/contract/command-program.ts';

test('a full disk ends a program with its code, also if the reason cannot be written there', () => {
  const stdout = new EventEmitter();
  const stderr = Object.assign(new EventEmitter(), {
    write: () => stderr.emit('error', new Error('the disk is full')),
  }) as EventEmitter & { write(text: string): boolean };
  const codes: number[] = [];
  endIfOutputFails({ stdout, stderr, exit: (code) => codes.push(code) });
  stdout.emit('error', Object.assign(new Error('write'), { code: 'ENOSPC' }));
  expect(codes).toEqual([1]);
});
