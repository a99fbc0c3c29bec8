// The lock of a folder that test files share, and the lock of a build folder that it is based on.

import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lockFolder } from '../tiles-build/archive/folder-lock.ts';
import { processMark } from '../tiles-build/archive/is-running.ts';
import { withFolderLock } from './support/folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('withFolderLock runs one function at a time, and all of them, even if one fails', async () => {
  let working = 0;
  const work = async (i: number) => {
    working++;
    for (let k = 0; k < 20; k++) await turn();
    expect(working).toBe(1);
    working--;
    if (i === 0) throw new Error('no such cell');
    return i;
  };
  const ends = await Promise.allSettled(
    Array.from({ length: 4 }, (_, i) => withFolderLock(folder, () => work(i))),
  );
  expect(ends.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  // No system uses this process id.
  ['that ended without releasing it', 2_147_483_647],
  // Programs in containers often have the same process id.
  ['with the same process id', process.pid],
])('withFolderLock takes over the lock of an earlier process %s', async (_, pid) => {
  mkdirSync(join(folder, '.lock'));
  writeFileSync(join(folder, '.lock', `${pid} ${hostname()} an-earlier-start`), '');
  expect(await withFolderLock(folder, async () => 'done')).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['of another machine', '1', 'another-machine', -16],
  // After a restart, the process id can belong to another program.
  ['with the process id of another program', String(process.ppid), hostname(), -16],
  ['from before the clock was set back', '1', 'another-machine', 16],
])(
  'withFolderLock takes over a lock %s if it was not renewed for 15 minutes',
  async (_, pid, host, minutes) => {
    const path = join(folder, '.lock', `${pid} ${host} x`);
    mkdirSync(join(folder, '.lock'));
    writeFileSync(path, '');
    const held = lockFolder(folder);
    expect(held).toMatchObject({ isHeld: false, holder: `process ${pid} of ${host}` });
    const renewed = new Date(Date.now() + minutes * 60_000);
    utimesSync(path, renewed, renewed);
    expect(await withFolderLock(folder, async () => 'done')).toBe('done');
  },
);

it.runIf(process.platform === 'linux').each([
  ['is taken over if its process id belongs to a later process', 3, false],
  ['is taken over if its machine was restarted', 0, false],
  ['is held if its process runs in another container', 1, true],
  ['is held if its process runs', 4, true],
])('the lock of this machine %s', (_, changed, isHeld) => {
  const mark = processMark(process.ppid)!.split(' ');
  if (changed < mark.length) mark[changed] = 'another';
  mkdirSync(join(folder, '.lock'));
  writeFileSync(join(folder, '.lock', `${process.ppid} ${hostname()} x`), mark.join(' '));
  const lock = lockFolder(folder);
  expect(lock.isHeld).toBe(!isHeld);
  if (!lock.isHeld) return;
  const [own] = readdirSync(join(folder, '.lock'));
  expect(readFileSync(join(folder, '.lock', own!), 'utf8')).toBe(processMark());
  lock.release();
});

it('the lock is taken on a full disk, which has room for an empty file', () => {
  const write = fs.writeFileSync;
  vi.spyOn(fs, 'writeFileSync').mockImplementation((file, text, options) => {
    write(file, '', options);
    if (text !== '') throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  const lock = lockFolder(folder);
  expect(fs.writeFileSync).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  expect([lock.isHeld, lockFolder(folder).isHeld]).toEqual([true, false]);
  if (lock.isHeld) lock.release();
});
