// The file of the signing keys.

import fs, { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  ensureKeys,
  loadUserTokenSecret,
  retireKey,
  rotateKeys,
} from '../../../workers/host/admin/keys.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const data = scratchFolder();
const ANOTHER_USER = 4321;

test.runIf(process.getuid?.() === 0)(
  'the file of the keys keeps its owner if root changes the keys',
  async () => {
    const { keys } = await ensureKeys(data);
    const file = join(data, 'keys', 'signing-keys.json');
    chownSync(file, ANOTHER_USER, ANOTHER_USER);
    const ownerAndMode = () => {
      const { uid, gid, mode } = statSync(file);
      return [uid, gid, mode & 0o777];
    };
    await rotateKeys(data);
    expect(ownerAndMode()).toEqual([ANOTHER_USER, ANOTHER_USER, 0o600]);
    await retireKey(data, keys[0]!.kid!);
    expect(ownerAndMode()).toEqual([ANOTHER_USER, ANOTHER_USER, 0o600]);
  },
);

test('the keys and the secret are on the disk before their files have their names', async () => {
  const folder = join(data, 'new');
  const flushed = vi.spyOn(fs, 'fsyncSync');
  await ensureKeys(folder);
  expect(flushed).toHaveBeenCalledTimes(1);
  await loadUserTokenSecret(folder);
  expect(flushed).toHaveBeenCalledTimes(2);
  await rotateKeys(folder);
  expect(flushed).toHaveBeenCalledTimes(3);
});
