// Summaries of a square: the least and the most for each 2 × 2, 4 × 4 … 256 × 256 cells. They do
// not depend on the trip, so they are kept as long as the square itself.

import { FINER_SQUARES, type SeaSquare, SQUARE_CELLS } from '../../sea.ts';

/**
 * Levels 0 (cells) to 8 (the whole square), each by rows from the north. If one value of a plane
 * stands for several cells, the first levels are the plane (see `indexIn` in `water.ts`).
 */
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
    // Few trips ask for them in all of their squares.
    let allFlags: readonly Uint16Array[] | undefined;
    mips = {
      least: levelsOf(leastDepth, leastInto),
      most: levelsOf(mostDepth, mostInto),
      clearance: clearance && levelsOf(clearance, leastInto),
      anyFlags: flags && levelsOf(flags, anyInto),
      get allFlags() {
        allFlags ??= flags && levelsOf(certainFlags(square, flags), allInto);
        return allFlags;
      },
    };
    kept.set(square, mips);
  }
  return mips;
}

/**
 * A flag of a coarse cell may apply to any part of it, so it is not certain if finer squares exist.
 */
function certainFlags({ hasFiner, width = SQUARE_CELLS }: SeaSquare, flags: Uint16Array) {
  if (!hasFiner.includes(1)) return flags;
  const certain = flags.slice();
  const side = width / FINER_SQUARES;
  for (let i = 0; i < certain.length; i += side) {
    if (hasFiner[partOf(i, width)] === 1) certain.fill(0, i, i + side);
  }
  return certain;
}

/** Index of the part of a square (8 × 8, by rows) that contains a value of its planes. */
export function partOf(i: number, width: number = SQUARE_CELLS): number {
  const bits = bitsOf(width);
  return ((i >> (2 * bits - 3)) << 3) | ((i & (width - 1)) >> (bits - 3));
}

/** Binary logarithm of a power of two. */
export const bitsOf = (width: number): number => 31 - Math.clz32(width);

/** Joins 2 × 2 values of `below`, with rows of `width`, into each value of `above`. */
type Join<T> = (below: T, width: number, above: T) => void;

// Each loop is written out, because one with the operation as a parameter takes four times as long.
const leastInto: Join<Uint8Array> = (below, width, above) => {
  for (let i = 0, j = 0; i < above.length; j += width) {
    for (const end = j + width; j < end; j += 2, i++) {
      let least = below[j]!;
      if (below[j + 1]! < least) least = below[j + 1]!;
      if (below[j + width]! < least) least = below[j + width]!;
      if (below[j + width + 1]! < least) least = below[j + width + 1]!;
      above[i] = least;
    }
  }
};
const mostInto: Join<Uint8Array> = (below, width, above) => {
  for (let i = 0, j = 0; i < above.length; j += width) {
    for (const end = j + width; j < end; j += 2, i++) {
      let most = below[j]!;
      if (below[j + 1]! > most) most = below[j + 1]!;
      if (below[j + width]! > most) most = below[j + width]!;
      if (below[j + width + 1]! > most) most = below[j + width + 1]!;
      above[i] = most;
    }
  }
};
// Two flags at a time.
const anyInto: Join<Uint16Array> = (below, width, above) => {
  const [pairs, half] = [
    new Uint32Array(below.buffer, below.byteOffset, below.length / 2),
    width >> 1,
  ];
  for (let i = 0, j = 0; i < above.length; j += half) {
    for (const end = j + half; j < end; j++, i++) {
      const both = pairs[j]! | pairs[j + half]!;
      above[i] = both | (both >>> 16);
    }
  }
};
const allInto: Join<Uint16Array> = (below, width, above) => {
  const [pairs, half] = [
    new Uint32Array(below.buffer, below.byteOffset, below.length / 2),
    width >> 1,
  ];
  for (let i = 0, j = 0; i < above.length; j += half) {
    for (const end = j + half; j < end; j++, i++) {
      const both = pairs[j]! & pairs[j + half]!;
      above[i] = both & (both >>> 16);
    }
  }
};

/**
 * Levels 0 to 8. Levels with cells that are smaller than the values of a plane are the plane itself.
 */
function levelsOf<T extends Uint8Array | Uint16Array>(plane: T, join: Join<T>): T[] {
  const bits = bitsOf(plane.length) / 2;
  const levels: T[] = new Array(bitsOf(SQUARE_CELLS) - bits + 1).fill(plane);
  for (let width = 1 << bits, below = plane; width > 1; width >>= 1) {
    const above = new (plane.constructor as new (length: number) => T)(below.length >> 2);
    join(below, width, above);
    levels.push(above);
    below = above;
  }
  return levels;
}
