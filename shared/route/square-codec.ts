// Encodes and decodes a square of the sea. The caller deflates the bytes. Each plane stores the
// difference from the row above; most differences are 0.
//
//   square := version zoom x y  coarseness  planes  { plane }  finer:8 bytes  hazards  [notices]
//             checksum:4 bytes
//   plane  := one byte for each 2^coarseness × 2^coarseness cells, from the one above (mod 256)
//
// The first plane is the least depth. The bits of `planes` show which planes follow: most depth,
// clearance, flags, bearing. The next bit shows that notices follow. Flags are indices into a
// palette, or low and high bytes if there are too many different flags. Cells that are never deep
// have no clearance, flags or bearing; the values stored for them have no meaning.

import { PbfReader } from 'pbf';
import { IntegerWriter } from '../bytes/integer-writer.ts';
import { checksumOf } from '../bytes/word-checksum.ts';
import { codesOfHalves, NEVER_DEEP, OPEN_SKY } from './depth-code.ts';
import { HAZARD_GRID, readHazards, writeHazards } from './hazard-codec.ts';
import { readNotices, writeNotices } from './notice-codec.ts';
import { FINER_SQUARES, SEA_ZOOMS, type SeaSquare, type SeaZoom, SQUARE_CELLS } from './sea.ts';

/**
 * In version 1, depth codes from 201 on stand for more metres than now. Reading them as fewer
 * metres is safe. Up to version 2, clearance codes have steps of 0.5 m.
 */
const SQUARE_VERSION = 3;
const LAST_HALVES_VERSION = 2;
const OLDEST_VERSION = 1;

const CELLS = SQUARE_CELLS * SQUARE_CELLS;
const MAX_COARSENESS = 8;
/** Decoded planes have at least one value for each finer square. */
const MAX_DECODED_COARSENESS = 5;
const CHECKSUM_BYTES = 4;
const FINER_BYTES = (FINER_SQUARES * FINER_SQUARES) / 8;

/** Bits of `planes`. */
const MOST = 1;
const CLEARANCE = 2;
const FLAGS = 4;
const BEARING = 8;
const NOTICES = 16;

/** Bytes that are not a square or are corrupt. They must never be treated as water. */
export interface DamagedSquare {
  readonly damaged: string;
}

export function isDamaged(found: SeaSquare | DamagedSquare): found is DamagedSquare {
  return 'damaged' in found;
}

export function encodeSquare(square: SeaSquare): Uint8Array {
  const { width = SQUARE_CELLS } = square;
  // Cells are compared four at a time.
  if (width < 4) return encodeSquare(withFourColumns(square, width));
  const { zoom, x, y, leastDepth, mostDepth, clearance, flags, laneBearing } = square;
  const planes: Uint8Array[] = [leastDepth];
  let bits = 0;
  const add = (bit: number, ...cells: readonly Uint8Array[]): void => {
    bits |= bit;
    for (const plane of cells) planes.push(plane);
  };
  if (mostDepth !== leastDepth) add(MOST, mostDepth);
  const calm = (plane: Uint8Array) => carriedOn(plane, mostDepth, width);
  if (clearance !== undefined) add(CLEARANCE, calm(clearance));
  const palette = flags && paletteOf(flags, mostDepth);
  if (flags !== undefined) add(FLAGS, ...flagPlanes(flags, palette).map(calm));
  if (laneBearing !== undefined) add(BEARING, calm(laneBearing));
  const { notices = [] } = square;
  if (notices.length > 0) bits |= NOTICES;
  const given = Math.log2(SQUARE_CELLS / width);
  const found = planes.reduce(
    (least, plane) => coarsenessOf(plane, width, least),
    MAX_COARSENESS - given,
  );
  const coarseness = given + found;

  // Large enough for most squares, so that the writer does not grow and copy step by step.
  const out = new IntegerWriter(new Uint8Array(planes.length * (width >> found) ** 2 + 4096));
  for (const value of [SQUARE_VERSION, zoom, x, y, coarseness, bits]) out.writeVarint(value);
  if (flags !== undefined) writePalette(out, palette);
  for (const plane of planes) append(out, filtered(plane, width, found));
  append(out, finerBits(square.hasFiner));
  writeHazards(out, square.hazards, cornerOf(square));
  if (notices.length > 0) writeNotices(out, notices, cornerOf(square));
  out.writeFixed32(checksumOf(out.buf.subarray(0, out.pos)));
  return out.finish();
}

/** Returns the square, or the reason why the bytes are not valid. Never throws. */
export function decodeSquare(bytes: Uint8Array): SeaSquare | DamagedSquare {
  const end = bytes.length - CHECKSUM_BYTES;
  if (end <= 0) return { damaged: 'too short' };
  const content = bytes.subarray(0, end);
  const stated = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true);
  if (stated !== checksumOf(content)) return { damaged: 'its checksum differs' };
  try {
    return readSquare(new PbfReader(content));
  } catch (error) {
    return { damaged: (error as Error).message };
  }
}

function readSquare(reader: PbfReader): SeaSquare {
  const [version, zoom, x, y, coarseness, bits] = [0, 1, 2, 3, 4, 5].map(() => reader.readVarint());
  if (version! < OLDEST_VERSION || version! > SQUARE_VERSION) {
    throw new RangeError(`version ${version}`);
  }
  if (!isSeaZoom(zoom!) || x! >= 2 ** zoom! || y! >= 2 ** zoom! || coarseness! > MAX_COARSENESS) {
    throw new RangeError('not a square of the sea');
  }
  const width = SQUARE_CELLS >> Math.min(coarseness!, MAX_DECODED_COARSENESS);
  const plane = () => unfiltered(take(reader, CELLS >> (2 * coarseness!)), width);
  const palette = bits! & FLAGS ? readPalette(reader) : [];
  const leastDepth = plane();
  const mostDepth = bits! & MOST ? plane() : leastDepth;
  const heights = bits! & CLEARANCE ? withoutLand(plane(), mostDepth, OPEN_SKY) : undefined;
  const clearance = version! <= LAST_HALVES_VERSION ? heights && codesOfHalves(heights) : heights;
  const flags = bits! & FLAGS ? flagsOf(plane, palette, mostDepth) : undefined;
  const laneBearing = bits! & BEARING ? withoutLand(plane(), mostDepth, 0) : undefined;
  const hasFiner = finerOf(take(reader, FINER_BYTES));
  const id = { zoom, x: x!, y: y! };
  const hazards = readHazards(reader, cornerOf(id));
  const notices = bits! & NOTICES ? readNotices(reader, cornerOf(id)) : undefined;
  if (reader.pos !== reader.length) throw new RangeError('longer or shorter than it says');
  return {
    ...id,
    width,
    leastDepth,
    mostDepth,
    ...(clearance !== undefined && { clearance }),
    ...(flags !== undefined && { flags }),
    ...(laneBearing !== undefined && { laneBearing }),
    hasFiner,
    hazards,
    ...(notices !== undefined && { notices }),
  };
}

const isSeaZoom = (zoom: number): zoom is SeaZoom =>
  (SEA_ZOOMS as readonly number[]).includes(zoom);

function cornerOf({ zoom, x, y }: Pick<SeaSquare, 'zoom' | 'x' | 'y'>) {
  const side = HAZARD_GRID / 2 ** zoom;
  return { x: x * side, y: y * side };
}

type Plane = Uint8Array | Uint16Array;

/**
 * The bytes of a plane, four at a time. Most of the sea is even, so most words can be skipped. They are
 * signed, because engines store large unsigned numbers as objects: the loops took ten times as long.
 */
function wordsOf(plane: Plane): Int32Array {
  const { buffer, byteOffset, byteLength } = plane.byteOffset % 4 === 0 ? plane : plane.slice();
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

/** The bytes of a plane, two at a time. */
function pairsOf(plane: Uint8Array): Uint16Array {
  const words = wordsOf(plane);
  return new Uint16Array(words.buffer, words.byteOffset, 2 * words.length);
}

/** A square of 1 or 2 × 2 cells as one of 4 × 4. */
function withFourColumns(square: SeaSquare, width: number): SeaSquare {
  const at = Uint8Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [Math.floor(((i >> 2) * width) / 4), Math.floor(((i & 3) * width) / 4)];
    return row * width + column;
  });
  const bytes = (plane: Uint8Array) => Uint8Array.from(at, (i) => plane[i]!);
  const { leastDepth, mostDepth, clearance, flags, laneBearing } = square;
  const least = bytes(leastDepth);
  return {
    ...square,
    width: 4,
    leastDepth: least,
    mostDepth: mostDepth === leastDepth ? least : bytes(mostDepth),
    ...(clearance && { clearance: bytes(clearance) }),
    ...(flags && { flags: Uint16Array.from(at, (i) => flags[i]!) }),
    ...(laneBearing && { laneBearing: bytes(laneBearing) }),
  };
}

/** The largest power of two, up to `most`, such that each block has a single value. */
function coarsenessOf(plane: Uint8Array, width: number, most: number): number {
  let coarseness = most;
  const words = wordsOf(plane);
  for (let y = 0, i = 0; y < width && coarseness > 0; y++) {
    for (let x = 0; x < width; x++, i++) {
      const value = plane[i]!;
      if ((x & 3) === 0) {
        const word = words[i >> 2]!;
        const isEven =
          word === ((value * 0x01010101) | 0) &&
          (x === 0 || plane[i - 1] === value) &&
          (y === 0 || words[(i - width) >> 2] === word);
        if (isEven) {
          x += 3;
          i += 3;
          continue;
        }
      }
      // A change of value must lie on a border of blocks. This limits the size of the blocks.
      if (x > 0 && plane[i - 1] !== value) coarseness = Math.min(coarseness, zeroBits(x));
      if (y > 0 && plane[i - width] !== value) coarseness = Math.min(coarseness, zeroBits(y));
    }
  }
  return coarseness;
}

const zeroBits = (value: number): number => 31 - Math.clz32(value & -value);

function filtered(plane: Uint8Array, width: number, coarseness: number): Uint8Array {
  const side = width >> coarseness;
  const step = 1 << coarseness;
  const rowStep = step * width;
  const out = new Uint8Array(side * side);
  if (coarseness === 0) {
    out[0] = plane[0]!;
    for (let i = 1; i < width; i++) out[i] = plane[i]! - plane[i - 1]!;
    const words = wordsOf(plane);
    for (let k = width >> 2; k < words.length; k++) {
      if (words[k] === words[k - (width >> 2)]) continue;
      for (let i = 4 * k; i < 4 * k + 4; i++) out[i] = plane[i]! - plane[i - width]!;
    }
    return out;
  }
  let at = 0;
  for (let i = 0, before = 0; at < side; i += step) {
    out[at++] = plane[i]! - before;
    before = plane[i]!;
  }
  for (let row = rowStep; at < out.length; row += rowStep) {
    for (let i = row; i < row + width; i += step) out[at++] = plane[i]! - plane[i - rowStep]!;
  }
  return out;
}

/** @param width of the plane, which has the width of the stored cells or more */
function unfiltered(bytes: Uint8Array, width: number): Uint8Array {
  const stored = Math.sqrt(bytes.length);
  const cells = new Uint8Array(bytes);
  for (let i = 1; i < stored; i++) cells[i]! += cells[i - 1]!;
  if (stored < 4) {
    for (let i = stored; i < cells.length; i++) cells[i]! += cells[i - stored]!;
  } else addRows(wordsOf(cells), stored / 4);
  if (stored === width) return cells;
  const step = width / stored;
  const spread = new Uint8Array(width * width);
  for (let row = 0; row < width; row++) {
    const from = Math.floor(row / step) * stored;
    for (let x = 0; x < stored; x++) {
      const at = row * width + x * step;
      spread.fill(cells[from + x]!, at, at + step);
    }
  }
  return spread;
}

/** Adds each row to the next one: four bytes at a time, without a carry between them. */
function addRows(words: Int32Array, width: number): void {
  for (let i = width; i < words.length; i++) {
    const [a, b] = [words[i]!, words[i - width]!];
    words[i] = ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080);
  }
}

/** Gives never-deep cells the previous value: their own has no meaning and must cost nothing. */
function carriedOn(plane: Uint8Array, mostDepth: Uint8Array, width: number): Uint8Array {
  if (!mostDepth.includes(NEVER_DEEP)) return plane;
  const cells = plane.slice();
  for (let i = 1; i < width; i++) if (mostDepth[i] === NEVER_DEEP) cells[i] = cells[i - 1]!;
  const depths = wordsOf(mostDepth);
  for (let k = width >> 2; k < depths.length; k++) {
    if (depths[k] === ALL_DEEPEST) continue;
    for (let i = 4 * k; i < 4 * k + 4; i++) {
      if (mostDepth[i] === NEVER_DEEP) cells[i] = cells[i - width]!;
    }
  }
  return cells;
}

/** Four cells of deep water, as a signed number. */
const ALL_DEEPEST = -1;

function withoutLand(plane: Uint8Array, mostDepth: Uint8Array, nothing: number): Uint8Array {
  for (let i = 0; i < plane.length; i++) if (mostDepth[i] === NEVER_DEEP) plane[i] = nothing;
  return plane;
}

/** An index into the palette must fit into a byte. */
const MAX_PALETTE = 256;

/** The different flags; `undefined` if there are too many. */
function paletteOf(flags: Uint16Array, mostDepth: Uint8Array): readonly number[] | undefined {
  const found = new Set<number>();
  const pairs = wordsOf(flags);
  const depths = pairsOf(mostDepth);
  for (let k = 0, pair = -1, depth = -1; k < pairs.length; k++) {
    if (pairs[k] === pair && depths[k] === depth) continue;
    pair = pairs[k]!;
    depth = depths[k]!;
    for (let i = 2 * k; i < 2 * k + 2; i++) if (mostDepth[i] !== NEVER_DEEP) found.add(flags[i]!);
  }
  return found.size <= MAX_PALETTE ? [...found].sort((a, b) => a - b) : undefined;
}

function flagPlanes(flags: Uint16Array, palette: readonly number[] | undefined): Uint8Array[] {
  const plane = new Uint8Array(flags.length);
  if (palette === undefined) {
    const high = plane.slice();
    flags.forEach((value, i) => {
      plane[i] = value;
      high[i] = value >> 8;
    });
    return [plane, high];
  }
  if (palette.length <= 1) return [plane];
  const numbers = new Map(palette.map((value, i) => [value, i]));
  const pairs = wordsOf(flags);
  const out = pairsOf(plane);
  for (let k = 0; k < out.length; k++) {
    if (k > 0 && pairs[k] === pairs[k - 1]) out[k] = out[k - 1]!;
    else {
      // Flags that are not in the palette have no meaning.
      for (let i = 2 * k; i < 2 * k + 2; i++) plane[i] = numbers.get(flags[i]!) ?? 0;
    }
  }
  return [plane];
}

function writePalette(out: IntegerWriter, palette: readonly number[] | undefined): void {
  out.writeVarint(palette === undefined ? 0 : palette.length + 1);
  for (const value of palette ?? []) out.writeVarint(value);
}

/** Returns `undefined` if low and high bytes follow. */
function readPalette(reader: PbfReader): readonly number[] | undefined {
  const count = reader.readVarint();
  if (count === 0) return undefined;
  if (count > MAX_PALETTE + 1) throw new RangeError('more flags than can be');
  return Array.from({ length: count - 1 }, () => reader.readVarint());
}

function flagsOf(
  plane: () => Uint8Array,
  palette: readonly number[] | undefined,
  mostDepth: Uint8Array,
): Uint16Array {
  const low = plane();
  const flags = new Uint16Array(low.length);
  if (palette === undefined) {
    const high = plane();
    for (let i = 0; i < low.length; i++) {
      if (mostDepth[i] !== NEVER_DEEP) flags[i] = low[i]! | (high[i]! << 8);
    }
    return flags;
  }
  const values = new Uint16Array(MAX_PALETTE);
  values.set(palette);
  const [words, depths, out] = [wordsOf(low), wordsOf(mostDepth), wordsOf(flags)];
  for (let k = 0; k < words.length; k++) {
    // Most of the sea is even: four cells have the flags of the four before.
    if (k > 0 && words[k] === words[k - 1] && depths[k] === depths[k - 1]) {
      out[2 * k] = out[2 * k - 2]!;
      out[2 * k + 1] = out[2 * k - 1]!;
      continue;
    }
    for (let i = 4 * k; i < 4 * k + 4; i++) {
      if (mostDepth[i] !== NEVER_DEEP) flags[i] = values[low[i]!]!;
    }
  }
  return flags;
}

function finerBits(hasFiner: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(FINER_BYTES);
  hasFiner.forEach((has, i) => {
    if (has === 1) bytes[i >> 3]! |= 1 << (i & 7);
  });
  return bytes;
}

function finerOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: FINER_BYTES * 8 }, (_, i) => (bytes[i >> 3]! >> (i & 7)) & 1);
}

function append(out: IntegerWriter, bytes: Uint8Array): void {
  out.realloc(bytes.length);
  out.buf.set(bytes, out.pos);
  out.pos += bytes.length;
}

function take(reader: PbfReader, length: number): Uint8Array {
  if (!(reader.pos + length <= reader.length)) throw new RangeError('it ends early');
  const bytes = reader.buf.subarray(reader.pos, reader.pos + length);
  reader.pos += length;
  return bytes;
}
