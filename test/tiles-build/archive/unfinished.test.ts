// Concurrent writers of one file: it is always complete.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPackWriter, openPack, readPack } from '../../../tiles-build/archive/pack.ts';
import { readUnfinished, unfinishedPath } from '../../../tiles-build/archive/unfinished.ts';
import {
  removeUnfinished,
  removeUnfinishedInCache,
} from '../../../tiles-build/pipeline/out-folder.ts';
import { placeFile } from '../../../tiles-build/publish/place-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-unfinished-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a pack written by two jobs at once is complete after the first has finished', () => {
  const path = join(folder, 'x.pack');
  const add = (writer: ReturnType<typeof createPackWriter>, tileId: number) =>
    writer.add({ tileId, bytes: new Uint8Array(70_000).fill(tileId) });
  const [first, second] = [createPackWriter(path), createPackWriter(path)];
  for (const id of [1, 2, 3]) add(first, id);
  add(second, 1);
  first.finish();
  const ids = () => [...readPack(openPack(path))].map(({ tileId, bytes }) => [tileId, bytes[0]]);
  const whole = [1, 2, 3].map((id) => [id, id]);
  expect(ids()).toEqual(whole);
  for (const id of [2, 3]) add(second, id);
  expect(ids()).toEqual(whole);
  second.finish();
  expect(ids()).toEqual(whole);
  expect(readdirSync(folder)).toEqual(['x.pack']);
});

it('a file written twice at once is complete whenever it exists', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  writeFileSync(from, Buffer.alloc(1 << 20, 7));
  let isFirstPlaced = false;
  const slow = placeFile(to, async (unfinished) => {
    // Simulates a copy that has just started.
    writeFileSync(unfinished, 'half');
    while (!isFirstPlaced) await new Promise((done) => setTimeout(done, 1));
    expect(readFileSync(to)).toHaveLength(1 << 20);
    copyFileSync(from, unfinished);
  });
  await placeFile(to, (unfinished) => copyFile(from, unfinished));
  isFirstPlaced = true;
  await slow;
  expect(readFileSync(to)).toHaveLength(1 << 20);
});

it('files of earlier builds are removed from the folder of a build, and from its cache if their process has ended', () => {
  const part = `${'a'.repeat(64)}.pmtiles`;
  mkdirSync(join(folder, 'parts'));
  mkdirSync(join(folder, 'scratch'));
  const [dead, alive] = ['4194399-0123456789ab.part', `${process.pid}-0123456789ab.part`];
  for (const owner of [dead, alive]) {
    writeFileSync(join(folder, 'parts', `${part}.${owner}`), '');
    mkdirSync(join(folder, 'scratch', `merge.${owner}`));
    writeFileSync(join(folder, 'scratch', `merge.${owner}`, 'sheet.pack'), '');
  }
  writeFileSync(join(folder, 'parts', `mine.txt.${dead}`), '');
  removeUnfinished(folder);
  // The folder is locked. In a container, each build has the same process id.
  expect(readdirSync(join(folder, 'parts'))).toEqual([`mine.txt.${dead}`]);
  removeUnfinishedInCache(folder);
  expect(readdirSync(join(folder, 'scratch'))).toEqual([`merge.${alive}`]);
});

it('readUnfinished returns file and process id, also of names of earlier versions', () => {
  expect(readUnfinished(unfinishedPath('a/enc-v2.pmtiles'))).toEqual({
    file: 'a/enc-v2.pmtiles',
    pid: process.pid,
  });
  expect(readUnfinished('enc-v2.pmtiles.4711.part')).toEqual({ file: 'enc-v2.pmtiles', pid: 4711 });
  expect(readUnfinished('enc-v2.pmtiles')).toBeUndefined();
  expect(readUnfinished('US5AA02M.zip.part')).toBeUndefined();
});
