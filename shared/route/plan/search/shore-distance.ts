// The distance of a block from the shore. The shore is the border of everything that is not free for
// the trip, including uncharted water.

import { BlockMemo } from '../geometry/blocks.ts';
import { metersPerCell } from '../geometry/plane.ts';
import { FULL_DETAIL } from '../read/detail.ts';
import type { Water } from '../read/water.ts';
import { isCorridorFree } from '../sight/free-water.ts';

/** Distances are measured in this many steps of the preferred distance. */
const STEPS = 4;
/** The smallest blocks examined have this fraction (1/8) of the distance, or of the block's size. */
const SEEN_PARTS = 8;

export class ShoreDistance {
  readonly #water: Water;
  readonly #meters: number;
  readonly #steps = new BlockMemo((level, x, y) => this.#stepsAt(level, x, y));

  /** @param meters preferred distance */
  constructor(water: Water, meters: number) {
    this.#water = water;
    this.#meters = meters;
  }

  /** Part of the preferred distance that is free around a free block: 0 to 1 in quarters. */
  partAt(level: number, x: number, y: number): number {
    return this.#steps.of(level, x, y) / STEPS;
  }

  /** Whether the distance is about equal in a free block, because the block is small or far off. */
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
    // If all steps but the last are free, the whole distance must still be tested.
    return steps === STEPS - 1 && this.#isFreeWithin(level, x, y, 1) ? STEPS : steps;
  }

  #isFreeWithin(level: number, x: number, y: number, part: number): boolean {
    const size = 1 << level;
    const [middleX, middleY] = [(x + 0.5) * size, (y + 0.5) * size];
    const cells = this.#meters / metersPerCell(middleY);
    const finest = Math.max(0, Math.floor(Math.log2(Math.max(cells, size) / SEEN_PARTS)));
    const query = { water: this.#water, detail: FULL_DETAIL, finest };
    const halfWidth = size / 2 + part * cells;
    return isCorridorFree(query, { ax: middleX, ay: middleY, bx: middleX, by: middleY, halfWidth });
  }
}
