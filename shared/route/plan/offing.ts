// How far off the shore a block lies: the shore being whatever is not free for the trip, uncharted
// water included.

import { BLOCKED, FREE } from './block-class.ts';
import { BlockMemo } from './block-memo.ts';
import { metersPerCell } from './plane.ts';
import { TOP_LEVEL, type Water } from './water.ts';

/** Distances are told apart by this part of the one that is wanted. */
const STEPS = 4;
/** The shore is seen no finer than this part of the distance, or of the block that is looked from. */
const SEEN_PARTS = 8;

export class Offing {
  readonly #water: Water;
  readonly #meters: number;
  readonly #steps = new BlockMemo((level, x, y) => this.#stepsAt(level, x, y));

  /** @param meters that are wanted */
  constructor(water: Water, meters: number) {
    this.#water = water;
    this.#meters = meters;
  }

  /** Part of the wanted distance that there is around a free block, 0 to 1 by quarters. */
  partAt(level: number, x: number, y: number): number {
    return this.#steps.of(level, x, y) / STEPS;
  }

  /** Whether a free block is about as far off throughout: small beside the distance, or all far off. */
  isEven(level: number, x: number, y: number): boolean {
    const size = 1 << level;
    if (size * metersPerCell((y + 0.5) * size) <= (2 * this.#meters) / STEPS) return true;
    return this.partAt(level, x, y) === 1;
  }

  #stepsAt(level: number, x: number, y: number): number {
    let steps = 0;
    for (let step = STEPS / 2; step >= 1; step /= 2) {
      if (this.#isFreeWithin(level, x, y, (steps + step) / STEPS)) steps += step;
    }
    // All but the last step are free: what is left to ask for is the whole distance.
    return steps === STEPS - 1 && this.#isFreeWithin(level, x, y, 1) ? STEPS : steps;
  }

  #isFreeWithin(level: number, x: number, y: number, part: number): boolean {
    const size = 1 << level;
    const reach = (part * this.#meters) / metersPerCell((y + 0.5) * size);
    const seen = Math.max(this.#meters / metersPerCell((y + 0.5) * size), size) / SEEN_PARTS;
    const finest = Math.max(0, Math.floor(Math.log2(seen)));
    const box = [
      x * size - reach,
      y * size - reach,
      (x + 1) * size + reach,
      (y + 1) * size + reach,
    ];
    const [left, top, right, bottom] = box as [number, number, number, number];
    const start = Math.min(TOP_LEVEL, Math.ceil(Math.log2(right - left)));
    const width = 1 << start;
    for (let row = Math.floor(top / width); row * width < bottom; row++) {
      for (let column = Math.floor(left / width); column * width < right; column++) {
        if (!this.#isFree(start, column, row, finest, left, top, right, bottom)) return false;
      }
    }
    return true;
  }

  #isFree(
    level: number,
    x: number,
    y: number,
    finest: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
  ): boolean {
    const size = 1 << level;
    if (x * size >= right || (x + 1) * size <= left) return true;
    if (y * size >= bottom || (y + 1) * size <= top) return true;
    const kind = this.#water.classOf(level, x, y);
    if (kind === FREE) return true;
    if (kind === BLOCKED || level <= finest) return false;
    for (let k = 0; k < 4; k++) {
      const [cx, cy] = [2 * x + (k & 1), 2 * y + (k >> 1)];
      if (!this.#isFree(level - 1, cx, cy, finest, left, top, right, bottom)) return false;
    }
    return true;
  }
}
