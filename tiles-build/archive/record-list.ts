// The list of a pack's records: columns of tile ids, sizes and digests after the blocks. It is used
// to divide work and to identify results by content.

import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { bytesOf, readAt } from './file-bytes.ts';
import { type Pack, RECORD_DIGEST_BYTES } from './pack.ts';
import { removeDamaged } from './system-error.ts';

/** The records of a pack. */
export interface RecordList {
  /** Tile ids in order, one per record. */
  readonly tileIds: Float64Array;
  /** Bytes of each record. */
  readonly sizes: Float64Array;
  /** The digest of each record, `RECORD_DIGEST_BYTES` each. */
  readonly digests: Uint8Array;
}

/**
 * Read the record list of a pack, 32 bytes per record.
 * @throws DamagedFile if the list is damaged
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
      digests,
    };
  } finally {
    closeSync(file);
  }
}

/**
 * Hexadecimal SHA-256 over a range of records with their tile ids. Equal records give equal digests,
 * independent of the rest of the pack.
 * @param first index of the first record. @param end index after the last record
 */
export function digestOfRecords(
  { tileIds, digests }: Pick<RecordList, 'tileIds' | 'digests'>,
  first: number,
  end: number,
): string {
  return createHash('sha256')
    .update(bytesOf(tileIds.subarray(first, end)))
    .update(digests.subarray(RECORD_DIGEST_BYTES * first, RECORD_DIGEST_BYTES * end))
    .digest('hex');
}
