// A square's cells summed up: for each 2 × 2, 4 × 4 … 256 × 256 cells the least and the most. They
// serve every trip, so they are kept as long as the square itself is.

import { type SeaSquare, SQUARE_CELLS } from '../sea.ts';

/** Levels 0 (cells) to 8 (the whole square), each by rows from the north. */
export interface SquareMips {
  readonly least: readonly Uint8Array[];
  readonly most: readonly Uint8Array[];
  readonly clearance: readonly Uint8Array[] | undefined;
  /** Flags that any cell below has, and that all have. */
  readonly anyFlags: readonly Uint16Array[] | undefined;
  readonly allFlags: readonly Uint16Array[] | undefined;
}

const kept = new WeakMap<SeaSquare, SquareMips>();

export function mipsOf(square: SeaSquare): SquareMips {
  let mips = kept.get(square);
  if (mips === undefined) {
    const { leastDepth, mostDepth, clearance, flags } = square;
    mips = {
      least: lessBytes(leastDepth),
      most: moreBytes(mostDepth),
      clearance: clearance && lessBytes(clearance),
      anyFlags: flags && joined(flags),
      allFlags: flags && shared(certainFlags(square, flags)),
    };
    kept.set(square, mips);
  }
  return mips;
}

function lessBytes(cells: Uint8Array): Uint8Array[] {
  const levels = [cells];
  for (let width = SQUARE_CELLS; width > 1; width >>= 1) {
    const below = levels[levels.length - 1]!;
    const half = width >> 1;
    const above = new Uint8Array(half * half);
    for (let y = 0, i = 0; y < half; y++) {
      for (let j = 2 * y * width, end = j + width; j < end; j += 2, i++) {
        const a = below[j]!;
        const b = below[j + 1]!;
        const c = below[j + width]!;
        const d = below[j + width + 1]!;
        const ab = a < b ? a : b;
        const cd = c < d ? c : d;
        above[i] = ab < cd ? ab : cd;
      }
    }
    levels.push(above);
  }
  return levels;
}

function moreBytes(cells: Uint8Array): Uint8Array[] {
  const levels = [cells];
  for (let width = SQUARE_CELLS; width > 1; width >>= 1) {
    const below = levels[levels.length - 1]!;
    const half = width >> 1;
    const above = new Uint8Array(half * half);
    for (let y = 0, i = 0; y < half; y++) {
      for (let j = 2 * y * width, end = j + width; j < end; j += 2, i++) {
        const a = below[j]!;
        const b = below[j + 1]!;
        const c = below[j + width]!;
        const d = below[j + width + 1]!;
        const ab = a > b ? a : b;
        const cd = c > d ? c : d;
        above[i] = ab > cd ? ab : cd;
      }
    }
    levels.push(above);
  }
  return levels;
}

/** A flag of a coarse cell may belong to any part of it, so where finer squares are, none is certain. */
function certainFlags({ hasFiner }: SeaSquare, flags: Uint16Array): Uint16Array {
  if (!hasFiner.includes(1)) return flags;
  const certain = flags.slice();
  for (let i = 0; i < certain.length; i++) {
    if (hasFiner[(i >> 13) * 8 + ((i & 255) >> 5)] === 1) certain[i] = 0;
  }
  return certain;
}

function joined(cells: Uint16Array): Uint16Array[] {
  return flagLevels(cells, (a, b, c, d) => a | b | c | d);
}

function shared(cells: Uint16Array): Uint16Array[] {
  return flagLevels(cells, (a, b, c, d) => a & b & c & d);
}

function flagLevels(
  cells: Uint16Array,
  join: (a: number, b: number, c: number, d: number) => number,
): Uint16Array[] {
  const levels = [cells];
  for (let width = SQUARE_CELLS; width > 1; width >>= 1) {
    const below = levels[levels.length - 1]!;
    const half = width >> 1;
    const above = new Uint16Array(half * half);
    for (let y = 0, i = 0; y < half; y++) {
      for (let j = 2 * y * width, end = j + width; j < end; j += 2, i++) {
        above[i] = join(below[j]!, below[j + 1]!, below[j + width]!, below[j + width + 1]!);
      }
    }
    levels.push(above);
  }
  return levels;
}
