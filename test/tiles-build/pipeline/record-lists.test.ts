// The record lists of hundreds of packs, which are stored together.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPackWriter, openPack } from '../../../tiles-build/archive/pack.ts';
import { readRecordList } from '../../../tiles-build/archive/record-list.ts';
import { DamagedFile } from '../../../tiles-build/archive/system-error.ts';
import { digestOf, openBuildCache } from '../../../tiles-build/pipeline/build-cache.ts';
import { readRecordLists } from '../../../tiles-build/pipeline/record-lists.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scratch = scratchFolder();
const PACKS = 140;

function writePack(folder: string, number: number): string {
  const path = join(folder, `${digestOf(`${number}`)}.pack`);
  const writer = createPackWriter(path);
  for (let i = 0; i < number % 7; i++) {
    writer.add({ tileId: number + i, bytes: Uint8Array.from({ length: i + 1 }, () => number) });
  }
  writer.finish();
  return path;
}

function nation(name: string) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  const paths = Array.from({ length: PACKS }, (_, i) => writePack(folder, i));
  return { folder, paths, cache: openBuildCache(join(folder, 'cache')) };
}

it('equal the lists of the packs, and are read later without the packs', () => {
  const { folder, paths, cache } = nation('equal');
  const expected = paths.map((path) => readRecordList(openPack(path)));
  expect(readRecordLists(cache, paths)).toEqual(expected);
  for (const path of paths) rmSync(path);
  expect(readRecordLists(cache, paths)).toEqual(expected);
  const changed = [...paths.slice(0, 10), writePack(folder, PACKS), ...paths.slice(10)];
  expect(() => readRecordLists(cache, changed)).toThrow(/ENOENT/);
});

it('are stored so that one more pack changes one file', () => {
  const { folder, paths, cache } = nation('changed');
  readRecordLists(cache, paths);
  const before = readdirSync(join(cache.folder, 'lists'));
  const more = [writePack(folder, PACKS), ...paths];
  expect(readRecordLists(cache, more)).toEqual(more.map((path) => readRecordList(openPack(path))));
  const added = readdirSync(join(cache.folder, 'lists')).filter((name) => !before.includes(name));
  expect(added).toHaveLength(1);
});

it('are reported once if damaged, and made again by the next read', () => {
  const { paths, cache } = nation('damaged');
  const expected = readRecordLists(cache, paths);
  const [name] = readdirSync(join(cache.folder, 'lists'));
  const path = join(cache.folder, 'lists', name!);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
  expect(() => readRecordLists(cache, paths)).toThrow(DamagedFile);
  expect(readRecordLists(cache, paths)).toEqual(expected);
});
