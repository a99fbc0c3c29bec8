// The cells of a square in a compact form: the few different cells that it has, and an index into
// them for each cell and each 2 × 2, 4 × 4 … 256 × 256 cells. Most squares have a dozen different
// cells, so one byte per cell is enough. The table does not depend on the trip.

import { OPEN_SKY } from './depth-code.ts';
import {
  type CellLevel,
  type CellTable,
  type CompactSquare,
  FINER_SQUARES,
  type SeaSquare,
  SQUARE_CELLS,
} from './sea.ts';

export function compactSquare(square: SeaSquare): CompactSquare {
  const { leastDepth: _, mostDepth: _most, clearance: _clearance, flags: _flags, ...rest } = square;
  return { ...rest, cells: tableOf(square) };
}

/** Tables of squares with planes: kept as long as the square itself. */
const kept = new WeakMap<SeaSquare, CellTable>();

export function cellTable(square: SeaSquare | CompactSquare): CellTable {
  if ('cells' in square) return square.cells;
  let table = kept.get(square);
  if (table === undefined) {
    table = tableOf(square);
    kept.set(square, table);
  }
  return table;
}

/** Cells along the side of a block, and the binary logarithm. */
const BLOCK = 16;
const BLOCK_BITS = 4;

/** The entry of a table for a block of a level, `i` by rows. */
export function entryAt({ levels }: CellTable, level: number, i: number): number {
  const { entries, starts, bits } = levels[level]!;
  if (starts === undefined) return entries[i]!;
  const across = bits - BLOCK_BITS;
  const block = ((i >> (bits + BLOCK_BITS)) << across) | ((i >> BLOCK_BITS) & ((1 << across) - 1));
  return entries[(starts[block]! << 8) | (((i >> bits) & 15) << BLOCK_BITS) | (i & 15)]!;
}

/** Memory of a table in bytes. */
export function bytesOfTable({ levels, least }: CellTable): number {
  const bytes = [...new Set(levels)].reduce(
    (sum, { entries }) => sum + entries.byteLength + 300,
    0,
  );
  return bytes + least.length * 7;
}

/** Index of the part of a square (8 × 8, by rows) that contains a value of its planes. */
export function partOf(i: number, width: number = SQUARE_CELLS): number {
  const bits = bitsOf(width);
  return ((i >> (2 * bits - 3)) << 3) | ((i & (width - 1)) >> (bits - 3));
}

/** Binary logarithm of a power of two. */
export const bitsOf = (width: number): number => 31 - Math.clz32(width);

/** Indices below this are joined by an array, larger ones by a map. */
const SMALL = 256;
const UNKNOWN = -1;

/** Arrays that each call of `tableOf` uses again. */
class Scratch {
  /** Indices of the levels, from the whole square to the cells. */
  readonly levels = Array.from(
    { length: bitsOf(SQUARE_CELLS) + 1 },
    (_, k) => new Int32Array(4 ** k),
  );
  /** Indices of a level in blocks. */
  readonly inBlocks = new Int32Array(SQUARE_CELLS ** 2);
  /** Joined blocks of two small indices. */
  readonly smallJoins = new Int32Array(SMALL * SMALL);
}

/** Cache: made by the first table and not at the start of an isolate. */
let scratch: Scratch | undefined;

function tableOf(square: SeaSquare): CellTable {
  const bits = bitsOf(square.width ?? SQUARE_CELLS);
  scratch ??= new Scratch();
  const { levels, inBlocks, smallJoins } = scratch;
  const palette = new Palette(smallJoins.fill(UNKNOWN));
  indexCells(square, palette, levels[bits]!);
  for (let k = bits; k > 0; k--) joinBlocks(palette, levels[k]!, 2 ** k, levels[k - 1]!);
  const { least, most, clearance, any, all } = palette;
  const found = levels
    .slice(0, bits + 1)
    .map((level, k) => levelOf(level, inBlocks, k, least.length));
  const finest = found.at(-1)!;
  while (found.length < levels.length) found.push(finest);
  return {
    levels: found.reverse(),
    least: Uint8Array.from(least),
    most: Uint8Array.from(most),
    clearance: Uint8Array.from(clearance),
    anyFlags: Uint16Array.from(any),
    allFlags: Uint16Array.from(all),
  };
}

/** Levels from this width on are stored in blocks. */
const BLOCKED_BITS = 7;

function levelOf(
  indices: Int32Array,
  inBlocks: Int32Array,
  bits: number,
  count: number,
): CellLevel {
  const Narrow = count <= 2 ** 8 ? Uint8Array : count <= 2 ** 16 ? Uint16Array : Uint32Array;
  if (bits < BLOCKED_BITS) return { entries: new Narrow(indices), starts: undefined, bits };
  const starts = new Uint8Array(indices.length / BLOCK ** 2);
  /** Blocks of one index, by the index. */
  const even = new Map<number, number>();
  let blocks = 0;
  for (let block = 0; block < starts.length; block++) {
    const row = block >> (bits - BLOCK_BITS);
    const column = block & ((1 << (bits - BLOCK_BITS)) - 1);
    const at = ((row << bits) | column) << BLOCK_BITS;
    const first = indices[at]!;
    let isEven = true;
    for (let k = 0; k < BLOCK; k++) {
      for (let i = at + (k << bits), to = (blocks * BLOCK + k) * BLOCK, x = 0; x < BLOCK; x++) {
        const index = indices[i + x]!;
        inBlocks[to + x] = index;
        if (index !== first) isEven = false;
      }
    }
    const known = isEven ? even.get(first) : undefined;
    starts[block] = known ?? blocks;
    if (known !== undefined) continue;
    if (isEven) even.set(first, blocks);
    blocks++;
  }
  return { entries: new Narrow(inBlocks.subarray(0, blocks * BLOCK ** 2)), starts, bits };
}

/** Writes the index of each cell. Most cells are equal to the one before or above. */
function indexCells(square: SeaSquare, palette: Palette, out: Int32Array): void {
  const { width = SQUARE_CELLS, leastDepth, mostDepth, clearance, flags, hasFiner } = square;
  const isSame = (i: number, j: number): boolean =>
    leastDepth[i] === leastDepth[j] &&
    mostDepth[i] === mostDepth[j] &&
    (flags === undefined || flags[i] === flags[j]) &&
    (clearance === undefined || clearance[i] === clearance[j]);
  for (let i = 0; i < out.length; i++) {
    if (i > 0 && isSame(i, i - 1)) out[i] = out[i - 1]!;
    else if (i >= width && isSame(i, i - width)) out[i] = out[i - width]!;
    else {
      const any = flags?.[i] ?? 0;
      out[i] = palette.indexOf(leastDepth[i]!, mostDepth[i]!, clearance?.[i] ?? OPEN_SKY, any, any);
    }
  }
  if (flags === undefined || !hasFiner.includes(1)) return;
  const side = width / FINER_SQUARES;
  for (let i = 0; i < out.length; i += side) {
    if (hasFiner[partOf(i, width)] !== 1) continue;
    for (let k = i; k < i + side; k++) out[k] = palette.uncertain(out[k]!);
  }
}

/** Joins 2 × 2 indices of `below`, with rows of `width`, into each index of `above`. */
function joinBlocks(palette: Palette, below: Int32Array, width: number, above: Int32Array): void {
  for (let i = 0, j = 0; i < above.length; j += width) {
    for (const end = j + width; j < end; j += 2, i++) {
      const [a, b] = [below[j]!, below[j + 1]!];
      const [c, d] = [below[j + width]!, below[j + width + 1]!];
      const top = a === b ? a : palette.join(a, b);
      const bottom = c === d ? c : palette.join(c, d);
      above[i] = top === bottom ? top : palette.join(top, bottom);
    }
  }
}

/** The different cells and blocks of a square. */
class Palette {
  readonly least: number[] = [];
  readonly most: number[] = [];
  readonly clearance: number[] = [];
  readonly any: number[] = [];
  readonly all: number[] = [];
  readonly #flags = new Map<number, number>();
  readonly #indices = new Map<number, number>();
  readonly #smallJoins: Int32Array;
  readonly #largeJoins = new Map<number, number>();
  readonly #uncertain: number[] = [];

  constructor(smallJoins: Int32Array) {
    this.#smallJoins = smallJoins;
  }

  /** The index of these values. */
  indexOf(least: number, most: number, clearance: number, any: number, all: number): number {
    const flags = numberOf(this.#flags, any * 2 ** 16 + all);
    const depths = (least << 16) | (most << 8) | clearance;
    const index = numberOf(this.#indices, flags * 2 ** 24 + depths);
    if (index === this.least.length) {
      this.least.push(least);
      this.most.push(most);
      this.clearance.push(clearance);
      this.any.push(any);
      this.all.push(all);
    }
    return index;
  }

  /** The index of a block that consists of two others. */
  join(a: number, b: number): number {
    const isSmall = a < SMALL && b < SMALL;
    const known = isSmall
      ? this.#smallJoins[a * SMALL + b]!
      : this.#largeJoins.get(a * 2 ** 17 + b);
    if (known !== undefined && known !== UNKNOWN) return known;
    const index = this.indexOf(
      Math.min(this.least[a]!, this.least[b]!),
      Math.max(this.most[a]!, this.most[b]!),
      Math.min(this.clearance[a]!, this.clearance[b]!),
      this.any[a]! | this.any[b]!,
      this.all[a]! & this.all[b]!,
    );
    if (isSmall) this.#smallJoins[a * SMALL + b] = index;
    else this.#largeJoins.set(a * 2 ** 17 + b, index);
    return index;
  }

  /** The index of the same cell without certain flags. */
  uncertain(index: number): number {
    this.#uncertain[index] ??= this.indexOf(
      this.least[index]!,
      this.most[index]!,
      this.clearance[index]!,
      this.any[index]!,
      0,
    );
    return this.#uncertain[index]!;
  }
}

/** The number of a key: its place in the order in which keys came. */
function numberOf(numbers: Map<number, number>, key: number): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}
