// Classes of blocks of cells for a trip, and a cache of the last classes.

import { WORLD_LEVEL } from './plane.ts';

/** The class of a block of cells for a trip; a lower number is worse. */
export const BLOCKED = 0;
/** Both free and blocked, or unknown without examining finer blocks. */
export const MIXED = 1;
export const FREE = 2;
export type BlockClass = typeof BLOCKED | typeof MIXED | typeof FREE;

const SLOT_BITS = 13;

/** Caches one byte for each of the blocks examined last, because the same blocks recur often. */
export class BlockMemo {
  readonly #ask: (level: number, x: number, y: number) => number;
  readonly #keys = new Float64Array(1 << SLOT_BITS).fill(-1);
  readonly #values = new Uint8Array(1 << SLOT_BITS);

  /** @param ask returns the byte of a block, x within the world */
  constructor(ask: (level: number, x: number, y: number) => number) {
    this.#ask = ask;
  }

  /** x wraps. If `ask` throws, nothing is stored. */
  of(level: number, x: number, y: number): number {
    const wrapped = x & ((1 << (WORLD_LEVEL - level)) - 1);
    const key = (level * 0x400000 + wrapped) * 0x400000 + y;
    const bits = Math.imul(wrapped, 0x9e3779b1) ^ Math.imul(y + level * 0x3f5, 0x85ebca6b);
    const slot = (bits ^ (bits >>> 15)) & ((1 << SLOT_BITS) - 1);
    if (this.#keys[slot] === key) return this.#values[slot]!;
    const value = this.#ask(level, wrapped, y);
    this.#keys[slot] = key;
    this.#values[slot] = value;
    return value;
  }
}
