// The record lists of many packs. A build with thousands of cells has tens of thousands of packs, and
// opening all of them takes longer than the rest of a small change. So the lists are also stored
// together, in files named by the names of their packs. A changed pack changes few of these files.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { pushTo } from '../../shared/geo/map-entries.ts';
import { bytesOf } from '../archive/file-bytes.ts';
import { openPack, RECORD_DIGEST_BYTES } from '../archive/pack.ts';
import { type RecordList, readRecordList } from '../archive/record-list.ts';
import { removeDamaged } from '../archive/system-error.ts';
import { unfinishedPath } from '../archive/unfinished.ts';
import { type BuildCache, digestOf } from './build-cache.ts';

/** Packs are divided by their names into this number of files. */
const FILES = 64;
/** Fewer packs are read one by one. */
const MIN_PACKS = 2 * FILES;
const COLUMN_BYTES = 8;
const RECORD_BYTES = 2 * COLUMN_BYTES + RECORD_DIGEST_BYTES;

/**
 * The record lists of packs, in the order of their paths.
 * @param paths names of the packs are digests of all that decides their content
 */
export function readRecordLists(
  cache: BuildCache,
  paths: readonly string[],
): readonly RecordList[] {
  if (paths.length < MIN_PACKS) return paths.map((path) => readRecordList(openPack(path)));
  const files = new Map<number, number[]>();
  for (const [i, path] of paths.entries()) {
    const file = Number.parseInt(basename(path).slice(0, 4), 16) % FILES;
    pushTo(files, file, i);
  }
  const lists = new Array<RecordList>(paths.length);
  for (const members of files.values()) {
    const found = listsOf(
      cache,
      members.map((i) => paths[i]!),
    );
    for (const [k, i] of members.entries()) lists[i] = found[k]!;
  }
  return lists;
}

function listsOf(cache: BuildCache, paths: readonly string[]): readonly RecordList[] {
  const key = digestOf('lists', ...paths.map((path) => basename(path)));
  const path = cache.path('lists', key);
  if (cache.has('lists', key)) return readStored(path, paths.length);
  const lists = paths.map((pack) => readRecordList(openPack(pack)));
  store(path, lists);
  return lists;
}

/** The number of records of each list, then the columns of each list, then the CRC-32 of all. */
function store(path: string, lists: readonly RecordList[]): void {
  const unfinished = unfinishedPath(path);
  const counts = Float64Array.from(lists, ({ tileIds }) => tileIds.length);
  const columns = lists.flatMap(({ tileIds, sizes, digests }) => [
    bytesOf(tileIds),
    bytesOf(sizes),
    digests,
  ]);
  const body = Buffer.concat([bytesOf(counts), ...columns]);
  writeFileSync(unfinished, Buffer.concat([body, bytesOf(Float64Array.of(crc32(body)))]));
  renameSync(unfinished, path);
}

function readStored(path: string, count: number): readonly RecordList[] {
  const stored = readFileSync(path);
  const { buffer, byteOffset } = new Uint8Array(stored);
  const end = stored.length - COLUMN_BYTES;
  if (end < COLUMN_BYTES * count || end % COLUMN_BYTES !== 0) throw removeDamaged(path);
  const [sum] = new Float64Array(buffer, byteOffset + end, 1);
  if (sum !== crc32(stored.subarray(0, end))) throw removeDamaged(path);
  let at = byteOffset + COLUMN_BYTES * count;
  return Array.from(new Float64Array(buffer, byteOffset, count), (records) => {
    const start = at;
    at += RECORD_BYTES * records;
    return {
      tileIds: new Float64Array(buffer, start, records),
      sizes: new Float64Array(buffer, start + COLUMN_BYTES * records, records),
      digests: new Uint8Array(
        buffer,
        start + 2 * COLUMN_BYTES * records,
        RECORD_DIGEST_BYTES * records,
      ),
    };
  });
}
