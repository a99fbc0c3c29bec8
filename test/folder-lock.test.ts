// What test files share is made by one of them at a time.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockFolder } from '../tiles-build/archive/folder-lock.ts';
import { withFolderLock } from './support/folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('the lock of a folder lets one work at a time, and each in the end, also after one that fails', async () => {
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

it('the lock of a folder takes over from a process that ended without giving it back', async () => {
  mkdirSync(join(folder, '.lock'));
  // More than any system gives.
  writeFileSync(join(folder, '.lock', `2147483647 ${hostname()} x`), '');
  expect(await withFolderLock(folder, async () => 'done')).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

it('the lock of a folder takes over from an earlier process of our own number, as programs in containers have', async () => {
  mkdirSync(join(folder, '.lock'));
  writeFileSync(join(folder, '.lock', `${process.pid} ${hostname()} an-earlier-start`), '');
  expect(await withFolderLock(folder, async () => 'done')).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

it('the lock of a folder takes over from another machine’s process once it gave no sign for long', async () => {
  const path = join(folder, '.lock', '1 another-machine x');
  mkdirSync(join(folder, '.lock'));
  writeFileSync(path, '');
  const held = lockFolder(folder);
  expect(held).toMatchObject({ isTaken: false, holder: 'process 1 of another-machine' });
  const longAgo = new Date(Date.now() - 16 * 60_000);
  utimesSync(path, longAgo, longAgo);
  expect(await withFolderLock(folder, async () => 'done')).toBe('done');
});
