// Encodes and decodes PMTiles v3 directories, with leaf directories if the root does not fit into the
// first 16 KiB.

import { type Entry, readVarint } from 'pmtiles';
import { joinBytes } from '../bytes/join-bytes.ts';

/** Header and root directory are in the first 16,384 bytes (PMTiles v3, section 2). */
export const FIRST_READ_BYTES = 16_384;
export const HEADER_BYTES = 127;
const MAX_ROOT_BYTES = FIRST_READ_BYTES - HEADER_BYTES;

const FIRST_LEAF_SIZE = 4096;
const LEAF_GROWTH = 1.2;

/** Entries in tile id order, as columns. A run length of 0 marks a leaf directory. */
export interface EntryColumns {
  readonly count: number;
  readonly tileIds: Float64Array;
  /** Offset from the start of the tile data (or of the leaf directories). */
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  readonly runLengths: Uint32Array;
}

/** Empty columns with a capacity. */
export function emptyColumns(capacity: number): {
  tileIds: Float64Array;
  offsets: Float64Array;
  lengths: Uint32Array;
  runLengths: Uint32Array;
} {
  return {
    tileIds: new Float64Array(capacity),
    offsets: new Float64Array(capacity),
    lengths: new Uint32Array(capacity),
    runLengths: new Uint32Array(capacity),
  };
}

/** Converts a directory to its stored bytes: compressed or unchanged. */
export type Pack = (directory: Uint8Array) => Uint8Array;

/**
 * Encode root and leaf directories. The leaf size grows by a fifth until the root fits, so that
 * small archives have no leaves and large ones have few.
 */
export function encodeDirectories(
  entries: EntryColumns,
  pack: Pack,
): {
  readonly root: Uint8Array;
  readonly leaves: Uint8Array;
} {
  const whole = pack(encodeDirectory(entries, 0, entries.count));
  if (whole.length <= MAX_ROOT_BYTES) return { root: whole, leaves: new Uint8Array(0) };

  for (let leafSize = FIRST_LEAF_SIZE; ; leafSize = Math.ceil(leafSize * LEAF_GROWTH)) {
    const { root, leaves } = encodeWithLeaves(entries, leafSize, pack);
    if (root.length <= MAX_ROOT_BYTES) return { root, leaves };
  }
}

function encodeWithLeaves(entries: EntryColumns, leafSize: number, pack: Pack) {
  const leafCount = Math.ceil(entries.count / leafSize);
  const pointers = { count: leafCount, ...emptyColumns(leafCount) };
  const leaves: Uint8Array[] = [];
  let offset = 0;
  for (let i = 0; i < leafCount; i++) {
    const start = i * leafSize;
    const leaf = pack(encodeDirectory(entries, start, Math.min(start + leafSize, entries.count)));
    pointers.tileIds[i] = entries.tileIds[start]!;
    pointers.offsets[i] = offset;
    pointers.lengths[i] = leaf.length;
    leaves.push(leaf);
    offset += leaf.length;
  }
  return { root: pack(encodeDirectory(pointers, 0, leafCount)), leaves: joinBytes(leaves) };
}

/** One directory (PMTiles v3, section 4): the columns as varints, one after another. */
function encodeDirectory(entries: EntryColumns, from: number, to: number): Uint8Array {
  // A varint of 53 bits has at most eight bytes; each entry has four varints.
  const bytes = new Uint8Array(8 + (to - from) * 32);
  let at = writeVarint(bytes, 0, to - from);
  let lastId = 0;
  for (let i = from; i < to; i++) {
    at = writeVarint(bytes, at, entries.tileIds[i]! - lastId);
    lastId = entries.tileIds[i]!;
  }
  for (let i = from; i < to; i++) at = writeVarint(bytes, at, entries.runLengths[i]!);
  for (let i = from; i < to; i++) at = writeVarint(bytes, at, entries.lengths[i]!);
  for (let i = from; i < to; i++) {
    const follows =
      i > from && entries.offsets[i] === entries.offsets[i - 1]! + entries.lengths[i - 1]!;
    at = writeVarint(bytes, at, follows ? 0 : entries.offsets[i]! + 1);
  }
  return bytes.slice(0, at);
}

/** The entries of an uncompressed directory. @throws RangeError if it has another length */
export function decodeDirectory(bytes: Uint8Array): Entry[] {
  const from = { buf: bytes, pos: 0 };
  const count = readVarint(from);
  if (!(count * 4 < bytes.length)) throw new RangeError('more entries than bytes');
  const column = () => Array.from({ length: count }, () => readVarint(from));
  const [steps, runLengths, lengths, offsets] = [column(), column(), column(), column()];
  if (from.pos !== bytes.length) throw new RangeError('not a directory of this length');
  const entries: Entry[] = [];
  for (let i = 0; i < count; i++) {
    const before = entries[i - 1];
    entries.push({
      tileId: (before?.tileId ?? 0) + steps[i]!,
      offset: offsets[i] === 0 && before ? before.offset + before.length : offsets[i]! - 1,
      length: lengths[i]!,
      runLength: runLengths[i]!,
    });
  }
  return entries;
}

/** Write a LEB128 integer up to 2^53; returns the next position. */
function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let position = at;
  while (rest >= 128) {
    bytes[position++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  bytes[position++] = rest;
  return position;
}
