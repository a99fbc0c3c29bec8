// What blocks of cells are to a trip, and a memory of what was asked of them last.

import { WORLD_LEVEL } from './plane.ts';

/** What a block of cells is to a trip; the less, the worse. */
export const BLOCKED = 0;
/** Both, or unknown without looking into finer blocks. */
export const MIXED = 1;
export const FREE = 2;
export type BlockClass = typeof BLOCKED | typeof MIXED | typeof FREE;

const SLOT_BITS = 13;

/** A byte for each of the blocks that were looked at last: what is asked again and again. */
export class BlockMemo {
  readonly #ask: (level: number, x: number, y: number) => number;
  readonly #keys = new Float64Array(1 << SLOT_BITS).fill(-1);
  readonly #values = new Uint8Array(1 << SLOT_BITS);

  /** @param ask tells the byte of a block, x within the world */
  constructor(ask: (level: number, x: number, y: number) => number) {
    this.#ask = ask;
  }

  /** x wraps. Nothing is remembered where `ask` throws. */
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
