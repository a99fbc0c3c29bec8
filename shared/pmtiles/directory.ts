// PMTiles v3 directories: tile entries to the bytes of a root directory, with leaf directories
// where the root alone would not fit into an archive's first 16 KiB.

import { joinBytes } from '../bytes/join-bytes.ts';

/** Header and root directory lie in the first 16,384 bytes (PMTiles v3, section 2). */
export const FIRST_READ_BYTES = 16_384;
export const HEADER_BYTES = 127;
const MAX_ROOT_BYTES = FIRST_READ_BYTES - HEADER_BYTES;

const FIRST_LEAF_SIZE = 4096;
const LEAF_GROWTH = 1.2;

/** Entries in tile id order, as columns. A run length of 0 marks a pointer to a leaf directory. */
export interface EntryColumns {
  readonly count: number;
  readonly tileIds: Float64Array;
  /** From the start of the tile data (or of the leaf directories, for pointers). */
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  readonly runLengths: Uint32Array;
}

/** An empty set of columns with space for `capacity` entries. */
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

/** Bytes of a directory as they are stored: compressed, or as they are. */
export type Pack = (directory: Uint8Array) => Uint8Array;

/**
 * Both levels of directories. Leaves grow by a fifth until their pointers fit into the
 * root, so that small archives have none and large ones have as few as possible.
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

/** One directory (PMTiles v3, section 4): five runs of varints, column after column. */
function encodeDirectory(entries: EntryColumns, from: number, to: number): Uint8Array {
  // A varint of a 53-bit number takes at most eight bytes; each entry has four of them.
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

/** LEB128 of a whole number up to 2^53; returns the position after it. */
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
