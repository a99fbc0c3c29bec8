// What a power failure may undo in a bucket that is a folder.

import { statSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scratch = scratchFolder();
const open = promises.open;
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Report each folder that is opened, as it is only to be flushed. */
function watchFolders(opened: (path: string) => void): void {
  vi.spyOn(promises, 'open').mockImplementation((path, ...how) => {
    if (statSync(String(path)).isDirectory()) opened(relative(scratch, String(path)));
    return open(path, ...how);
  });
  syncBuiltinESMExports();
}

const expected = { bytes: 1, sha256: '' };

test('the folders of parts are flushed once, with the manifest, and those of a pointer each time', async () => {
  const flushed: string[] = [];
  watchFolders((folder) => flushed.push(folder));
  const source = join(scratch, 'source');
  writeFileSync(source, 'x');
  const bucket = openFolderBucket(join(scratch, 'bucket'));
  for (const part of ['a', 'b', 'c'])
    await bucket.putFile(`parts/${part}.pmtiles`, source, expected);
  expect(flushed.splice(0)).toEqual([]);
  await bucket.putFile('builds/new/manifest.json', source, expected);
  expect(flushed.splice(0)).toEqual(['bucket/parts', 'bucket/builds/new']);
  await bucket.putText('current.json', '{}');
  expect(flushed.splice(0)).toEqual(['bucket']);
  await bucket.delete('current.json');
  expect(flushed.splice(0)).toEqual(['bucket']);
  await bucket.delete('sets/none/current.json');
  expect(await bucket.list('')).toHaveLength(4);
});

test('a folder of a file system that flushes no folders is accepted', async () => {
  watchFolders(() => {
    throw Object.assign(new Error('EINVAL: invalid argument, fsync'), { code: 'EINVAL' });
  });
  const bucket = openFolderBucket(join(scratch, 'shared'));
  await bucket.putText('current.json', '{}');
  expect(await bucket.readText('current.json')).toBe('{}');
});
