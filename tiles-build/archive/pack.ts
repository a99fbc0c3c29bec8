// Packs: intermediate files of a build. A pack contains records in tile id order, in blocks with
// checksums, followed by a list of the records and an index of the blocks. A range of tile ids can
// be found, weighed and identified by content without reading the rest. Packs are written
// atomically; a damaged pack is detected and removed.

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { lowerBound } from '../../shared/geo/sorted.ts';
import { bytesOf, readAt, writeAll } from './file-bytes.ts';
import { seal, sealKey, unseal } from './seal.ts';
import { removeDamaged } from './system-error.ts';
import { unfinishedPath } from './unfinished.ts';

/** Bytes of each record's SHA-256 that are stored. */
export const RECORD_DIGEST_BYTES = 16;

export interface PackRecord {
  readonly tileId: number;
  readonly bytes: Uint8Array;
}

/** The index of a pack. */
export interface Pack {
  readonly path: string;
  readonly records: number;
  /** First tile id of each block, ascending. Consecutive blocks can start with the same id. */
  readonly blockIds: Float64Array;
  /** Offset of each block in the file, and the end of the last one. */
  readonly blockOffsets: Float64Array;
  /** CRC-32 of each block, and of the record list after them. */
  readonly sums: Float64Array;
  readonly lastId: number;
  /** Whether each block is sealed. The record list and the index contain no chart data. */
  readonly isSealed: boolean;
}

interface PackWriter {
  /** @throws RangeError if the tile id is less than the previous one; equal ids keep their order */
  add(record: PackRecord): void;
  /** Close the pack and rename it to its path. If this fails, the temporary file is removed. */
  finish(): Pack;
  /** Remove what was written. */
  abandon(): void;
}

/** A block is closed at this size, so it is larger only by its last record. */
const BLOCK_BYTES = 1 << 16;
const RECORD_HEADER_BYTES = 12;
const MAGIC = 0x4b50_4c4c;
const SEALED_MAGIC = 0x4b53_4c4c;
/** Record count, block count, last id. */
const COUNTS_BYTES = 8 + 4 + 8;
/** The counts, the CRC-32 of index and counts, and the magic number. */
const TRAILER_BYTES = COUNTS_BYTES + 4 + 4;

/** Create a pack, which appears at `path` when it is finished. It is sealed if a key is set. */
export function createPackWriter(path: string): PackWriter {
  const unfinished = unfinishedPath(path);
  const file = openSync(unfinished, 'w');
  const blockIds: number[] = [];
  const blockOffsets: number[] = [];
  const sums: number[] = [];
  const tileIds: number[] = [];
  const sizes: number[] = [];
  const digests: Uint8Array[] = [];
  let block: Uint8Array[] = [];
  let blockBytes = 0;
  let offset = 0;
  let lastId = -1;
  const isSealed = sealKey() !== undefined;

  const abandon = (): void => {
    closeSync(file);
    rmSync(unfinished, { force: true });
  };
  const flush = (): void => {
    const plain = Buffer.concat(block, blockBytes);
    const bytes = isSealed ? seal(plain) : plain;
    writeAll(file, bytes);
    sums.push(crc32(bytes));
    offset += bytes.length;
    block = [];
    blockBytes = 0;
  };

  return {
    add({ tileId, bytes }) {
      if (!(tileId >= lastId)) {
        throw new RangeError(`Tile ids must not decrease: ${tileId} follows ${lastId}.`);
      }
      if (blockBytes === 0) {
        blockIds.push(tileId);
        blockOffsets.push(offset);
      }
      block.push(encodeRecordHeader(tileId, bytes.length), bytes);
      blockBytes += RECORD_HEADER_BYTES + bytes.length;
      if (blockBytes >= BLOCK_BYTES) flush();
      tileIds.push(tileId);
      sizes.push(bytes.length);
      digests.push(recordDigest(bytes));
      lastId = tileId;
    },

    finish() {
      let pack: Pack;
      try {
        if (blockBytes > 0) flush();
        blockOffsets.push(offset);
        const columns = [tileIds, sizes].map((column) => bytesOf(Float64Array.from(column)));
        let sum = 0;
        for (const bytes of [...columns, Buffer.concat(digests)]) {
          writeAll(file, bytes);
          sum = crc32(bytes, sum);
        }
        pack = {
          path,
          records: tileIds.length,
          blockIds: Float64Array.from(blockIds),
          blockOffsets: Float64Array.from(blockOffsets),
          sums: Float64Array.from([...sums, sum]),
          lastId,
          isSealed,
        };
        writeAll(file, encodeIndex(pack));
      } catch (error) {
        // An unfinished file would keep a full disk full.
        abandon();
        throw error;
      }
      closeSync(file);
      try {
        renameSync(unfinished, path);
      } catch (error) {
        rmSync(unfinished, { force: true });
        throw error;
      }
      return pack;
    },

    abandon,
  };
}

/** Read the index of a pack. @throws DamagedFile if the file is incomplete or damaged */
export function openPack(path: string): Pack {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size < TRAILER_BYTES) throw removeDamaged(path);
    const trailer = readAt(file, size - TRAILER_BYTES, TRAILER_BYTES);
    const view = new DataView(trailer.buffer, trailer.byteOffset, trailer.length);
    const blocks = view.getUint32(8, true);
    const indexBytes = 8 * (3 * blocks + 2);
    const magic = view.getUint32(TRAILER_BYTES - 4, true);
    if (magic !== MAGIC && magic !== SEALED_MAGIC) throw removeDamaged(path);
    if (size < TRAILER_BYTES + indexBytes) throw removeDamaged(path);
    const index = readAt(file, size - TRAILER_BYTES - indexBytes, indexBytes);
    if (view.getUint32(COUNTS_BYTES, true) !== sumOfIndex(index, trailer)) {
      throw removeDamaged(path);
    }
    const columns = new Float64Array(index.buffer, index.byteOffset, 3 * blocks + 2);
    return {
      path,
      records: view.getFloat64(0, true),
      blockIds: columns.slice(0, blocks),
      blockOffsets: columns.slice(blocks, 2 * blocks + 1),
      sums: columns.slice(2 * blocks + 1),
      lastId: view.getFloat64(12, true),
      isSealed: magic === SEALED_MAGIC,
    };
  } finally {
    closeSync(file);
  }
}

/** The blocks that may contain tile ids in [from, to): first, and one after the last. */
export function blocksInRange(pack: Pack, from: number, to: number): readonly [number, number] {
  // Equal ids can span blocks, so the block before the first one that starts at `from` is included.
  const first = Math.max(0, lowerBound(pack.blockIds, from) - 1);
  const end = lowerBound(pack.blockIds, to);
  return pack.lastId < from || end <= first ? [0, 0] : [first, end];
}

/**
 * Records with tile ids in [from, to), in order. Holds one block in memory.
 * @throws DamagedFile at the first damaged block
 */
export function* readPack(
  pack: Pack,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): Generator<PackRecord, void, undefined> {
  const [first, end] = blocksInRange(pack, from, to);
  if (first === end) return;
  const file = openSync(pack.path, 'r');
  try {
    for (let i = first; i < end; i++) {
      const start = pack.blockOffsets[i]!;
      const block = readAt(file, start, pack.blockOffsets[i + 1]! - start);
      if (crc32(block) !== pack.sums[i]) throw removeDamaged(pack.path);
      for (const record of recordsOf(pack.isSealed ? unseal(block) : block)) {
        if (record.tileId >= to) return;
        if (record.tileId >= from) yield record;
      }
    }
  } finally {
    closeSync(file);
  }
}

function* recordsOf(block: Uint8Array): Generator<PackRecord, void, undefined> {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  for (let at = 0; at < block.length; ) {
    const length = view.getUint32(at + 8, true);
    const start = at + RECORD_HEADER_BYTES;
    yield { tileId: view.getFloat64(at, true), bytes: block.subarray(start, start + length) };
    at = start + length;
  }
}

const recordDigest = (bytes: Uint8Array): Uint8Array =>
  createHash('sha256').update(bytes).digest().subarray(0, RECORD_DIGEST_BYTES);

function encodeRecordHeader(tileId: number, length: number): Uint8Array {
  const header = new Uint8Array(RECORD_HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setFloat64(0, tileId, true);
  view.setUint32(8, length, true);
  return header;
}

const sumOfIndex = (index: Uint8Array, trailer: Uint8Array): number =>
  crc32(trailer.subarray(0, COUNTS_BYTES), crc32(index));

function encodeIndex({
  records,
  blockIds,
  blockOffsets,
  sums,
  lastId,
  isSealed,
}: Pack): Uint8Array {
  const index = Buffer.concat([blockIds, blockOffsets, sums].map(bytesOf));
  const trailer = new Uint8Array(TRAILER_BYTES);
  const view = new DataView(trailer.buffer);
  view.setFloat64(0, records, true);
  view.setUint32(8, blockIds.length, true);
  view.setFloat64(12, lastId, true);
  view.setUint32(COUNTS_BYTES, sumOfIndex(index, trailer), true);
  view.setUint32(TRAILER_BYTES - 4, isSealed ? SEALED_MAGIC : MAGIC, true);
  return Buffer.concat([index, trailer]);
}
