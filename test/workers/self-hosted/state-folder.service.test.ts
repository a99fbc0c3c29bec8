// The claim of a data folder, whose process ids may belong to other programs after a crash.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandOf, startOf } from '../../../workers/host/database/process.ts';
import { inTurn, useServer } from '../../../workers/host/database/server-users.ts';
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

const onLinux = test.runIf(process.platform === 'linux');

onLinux('a use and a turn end with their process, also if another of Node has its id', async () => {
  const folder = join(scratch, 'server');
  const write = (kind: string, start: string) => {
    mkdirSync(`${folder}.${kind}`, { recursive: true });
    writeFileSync(join(`${folder}.${kind}`, `${other.pid}-random.${start}`), '');
  };
  write('users', '1');
  write('turn', '1');
  expect(useServer(folder).end()).toBe(true);
  expect(await inTurn(folder, async () => 'done')).toBe('done');
  write('users', startOf(other.pid!));
  expect(useServer(folder).end()).toBe(false);
});

onLinux('claimState ignores the id of a thread', async () => {
  const service = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'leadline'], {
    stdio: 'ignore',
  });
  try {
    const threads = () =>
      readdirSync(`/proc/${service.pid}/task`).filter((id) => Number(id) !== service.pid);
    await expect.poll(() => threads().length).toBeGreaterThan(0);
    const data = claimed({ supervisor: Number(threads()[0]) });
    await claimState(data);
    releaseState(data);
  } finally {
    service.kill('SIGKILL');
  }
});
