// The list of records in a pack, after its blocks: tile ids, sizes and digests, a column of each. Work is
// shared out by it, and results are named by it; who reads the records does not need it.

import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { bytesOf, readAt } from './file-bytes.ts';
import type { Pack } from './pack.ts';
import { removeDamaged } from './system-error.ts';

/** Of the SHA-256 of each record: enough to tell any two of all builds apart. */
export const RECORD_DIGEST_BYTES = 16;

/** Which records a pack holds. */
export interface RecordList {
  /** Tile ids in order, equal ones as often as they stand. */
  readonly tileIds: Float64Array;
  /** Bytes of each record. */
  readonly sizes: Float64Array;
}

/**
 * Read which records a pack holds: 16 bytes for each of them.
 * @throws DamagedFile where the list is not as it was written
 */
export function readRecordList({ path, records, blockOffsets, sums }: Pack): RecordList {
  const file = openSync(path, 'r');
  try {
    const start = blockOffsets.at(-1)!;
    const columns = readAt(file, start, 16 * records);
    const digests = readAt(file, start + columns.length, RECORD_DIGEST_BYTES * records);
    if (crc32(digests, crc32(columns)) !== sums.at(-1)) throw removeDamaged(path);
    return {
      tileIds: new Float64Array(columns.buffer, 0, records),
      sizes: new Float64Array(columns.buffer, 8 * records, records),
    };
  } finally {
    closeSync(file);
  }
}

/**
 * SHA-256 of some of a pack's records, with the tiles they belong to: the same for the same records,
 * whatever else their packs hold.
 * @param list of the pack. @param first place of the first record. @param end place after the last
 */
export function digestOfRecords(
  pack: Pack,
  { tileIds }: RecordList,
  first: number,
  end: number,
): Buffer {
  const file = openSync(pack.path, 'r');
  try {
    const start = pack.blockOffsets.at(-1)! + 16 * pack.records + RECORD_DIGEST_BYTES * first;
    const digests = readAt(file, start, RECORD_DIGEST_BYTES * (end - first));
    return createHash('sha256')
      .update(bytesOf(tileIds.subarray(first, end)))
      .update(digests)
      .digest();
  } finally {
    closeSync(file);
  }
}
