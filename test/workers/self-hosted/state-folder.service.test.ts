// The claim of a data folder, whose process ids may belong to other programs after a crash.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandOf } from '../../../workers/host/database/process.ts';
import { claimState, releaseState } from '../../../workers/host/serve/state-folder.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scratch = scratchFolder();
/** Another program of the user, whose command contains "serve". */
let other: ChildProcess;
beforeAll(() => {
  other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'http-server', '--serve'], {
    stdio: 'ignore',
  });
});
afterAll(() => other.kill('SIGKILL'));

const claimed = (claim: object): string => {
  const data = join(scratch, Object.keys(claim)[0]!);
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'serving.json'), JSON.stringify(claim));
  return data;
};

test('commandOf returns the program with its arguments, or nothing', () => {
  expect(commandOf(other.pid!)).toMatch(/node\S* -e .* http-server --serve/);
  expect(commandOf(2 ** 22 + 1)).toBe('');
});

test.each([
  ['supervisor', () => ({ supervisor: other.pid })],
  ['runtimes', () => ({ runtimes: [other.pid] })],
])('claimState ignores a process id of another program: %s', async (_, claim) => {
  const data = claimed(claim());
  await claimState(data);
  releaseState(data);
  expect(commandOf(other.pid!)).not.toBe('');
});

test('claimState logs a claim that cannot be written, and returns', async () => {
  const data = join(scratch, 'unwritable');
  // A folder in the place of the file cannot be written, as on a full disk.
  mkdirSync(join(data, 'serving.json'), { recursive: true });
  const faults: unknown[] = [];
  await claimState(data, (line) => faults.push([line.kind, line['where']]));
  expect(faults).toEqual([['fault', 'data folder']]);
});
