// Summaries of a square: the least and the most for each 2 × 2, 4 × 4 … 256 × 256 cells. They do
// not depend on the trip, so they are kept as long as the square itself.

import { type SeaSquare, SQUARE_CELLS } from '../../sea.ts';

/** Levels 0 (cells) to 8 (the whole square), each by rows from the north. */
export interface SquareMips {
  readonly least: readonly Uint8Array[];
  readonly most: readonly Uint8Array[];
  readonly clearance: readonly Uint8Array[] | undefined;
  /** Flags of any cell below, and flags that all cells below have. */
  readonly anyFlags: readonly Uint16Array[] | undefined;
  readonly allFlags: readonly Uint16Array[] | undefined;
}

const kept = new WeakMap<SeaSquare, SquareMips>();

export function mipsOf(square: SeaSquare): SquareMips {
  let mips = kept.get(square);
  if (mips === undefined) {
    const { leastDepth, mostDepth, clearance, flags } = square;
    mips = {
      least: levelsOf(leastDepth, least),
      most: levelsOf(mostDepth, most),
      clearance: clearance && levelsOf(clearance, least),
      anyFlags: flags && levelsOf(flags, any),
      allFlags: flags && levelsOf(certainFlags(square, flags), all),
    };
    kept.set(square, mips);
  }
  return mips;
}

/**
 * A flag of a coarse cell may apply to any part of it, so it is not certain if finer squares exist.
 */
function certainFlags({ hasFiner }: SeaSquare, flags: Uint16Array): Uint16Array {
  if (!hasFiner.includes(1)) return flags;
  const certain = flags.slice();
  for (let i = 0; i < certain.length; i++) {
    if (hasFiner[partOf(i)] === 1) certain[i] = 0;
  }
  return certain;
}

/** Index of the part of a square (8 × 8, by rows) that contains a cell. */
export const partOf = (cell: number): number => ((cell >> 13) << 3) | ((cell & 255) >> 5);

type Join = (a: number, b: number, c: number, d: number) => number;

const least: Join = (a, b, c, d) => {
  const ab = a < b ? a : b;
  const cd = c < d ? c : d;
  return ab < cd ? ab : cd;
};
const most: Join = (a, b, c, d) => {
  const ab = a > b ? a : b;
  const cd = c > d ? c : d;
  return ab > cd ? ab : cd;
};
const any: Join = (a, b, c, d) => a | b | c | d;
const all: Join = (a, b, c, d) => a & b & c & d;

/** The cells, then each level with four cells of the previous level joined into one. */
function levelsOf<T extends Uint8Array | Uint16Array>(cells: T, join: Join): T[] {
  const levels = [cells];
  for (let width = SQUARE_CELLS; width > 1; width >>= 1) {
    const below = levels[levels.length - 1]!;
    const half = width >> 1;
    const above = (
      cells instanceof Uint8Array ? new Uint8Array(half * half) : new Uint16Array(half * half)
    ) as T;
    for (let y = 0, i = 0; y < half; y++) {
      for (let j = 2 * y * width, end = j + width; j < end; j += 2, i++) {
        above[i] = join(below[j]!, below[j + 1]!, below[j + width]!, below[j + width + 1]!);
      }
    }
    levels.push(above);
  }
  return levels;
}
