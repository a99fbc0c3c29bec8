// The blocks of the sea that a search uses as leaves: the largest free blocks that have an even cost
// and the lateral clearance on all sides. A block without the clearance is divided further, because
// the centre of a part may have the clearance.

import { BLOCKED, BlockMemo, FREE, MIXED } from '../geometry/blocks.ts';
import { FULL_DETAIL } from '../read/detail.ts';
import { TOP_LEVEL } from '../read/water.ts';
import type { LineOfSight } from '../sight/line-of-sight.ts';
import type { CostModel } from './cost-model.ts';

const CLOSED = 1;
/** Divided because part of it is not free, or because it is too large to be examined as a whole. */
const MIXED_BLOCK = 2;
/** All free, but divided because its cost is uneven or it lacks the lateral clearance. */
const DIVIDED = 3;
const OPEN = 4;

/**
 * How far blocks without the lateral clearance are divided. Quick: until the centre has the
 * clearance; sufficient for nearly all water. Thorough: down to single cells. If the thorough search
 * finds no path, no path exists.
 */
export type Division = 'quick' | 'thorough';

/** Blocks smaller than this part of the lateral clearance are not divided. */
const SMALLEST_PARTS: Readonly<Record<Division, number>> = { quick: 1, thorough: 1 / 32 };

export class Leaves {
  readonly lineOfSight: LineOfSight;
  readonly costModel: CostModel;
  readonly #vary: boolean;
  readonly #largest: number;
  readonly #division: Division;
  readonly #states = new BlockMemo((level, x, y) => this.#classify(level, x, y));

  /** @param largest level of the largest leaves */
  constructor(lineOfSight: LineOfSight, costModel: CostModel, largest: number, division: Division) {
    this.lineOfSight = lineOfSight;
    this.costModel = costModel;
    this.#vary = costModel.vary;
    this.#largest = Math.min(largest, TOP_LEVEL);
    this.#division = division;
  }

  /** Level of the leaf that contains a block or is equal to it; −1 if there is no leaf. */
  levelAround(level: number, x: number, y: number): number {
    if (!this.#exists(level, x, y)) return -1;
    let found = -1;
    for (let up = 0; level + up <= this.#largest; up++) {
      const state = this.#states.of(level + up, x >> up, y >> up);
      if (state === OPEN) found = level + up;
      else if (state !== DIVIDED) break;
    }
    return found;
  }

  /** Whether a block that is not in a leaf may contain smaller leaves. */
  isDivided(level: number, x: number, y: number): boolean {
    if (level === 0) return false;
    const state = this.#states.of(level, x, y);
    if (state === DIVIDED) return true;
    return state === MIXED_BLOCK && this.lineOfSight.detail.mayDivide(level, x, y);
  }

  /** Level of the leaf at a cell; −1 if there is no leaf. */
  levelAt(cellX: number, cellY: number): number {
    for (let level = this.#largest; level >= 0; level--) {
      const [x, y] = [cellX >> level, cellY >> level];
      if (this.#states.of(level, x, y) === OPEN) return level;
      if (!this.isDivided(level, x, y)) return -1;
    }
    return -1;
  }

  /** Whether all of a block, and the clearance around it, is free. */
  isAllClear(level: number, x: number, y: number): boolean {
    const lineOfSight = this.lineOfSight;
    if (lineOfSight.water.needs.lateralMeters === 0) return true;
    const half = (1 << level) / 2;
    const middle = { x: (2 * x + 1) * half, y: (2 * y + 1) * half };
    const reach = lineOfSight.lateralCells(middle.y - half, middle.y + half);
    return lineOfSight.isFree(middle, middle, half + reach);
  }

  /** Whether the centre of a free block is far enough from every unsafe edge. */
  #isCenterClear(left: number, top: number, size: number, reach: number): boolean {
    if (size / 2 >= reach) return true;
    const lineOfSight = this.lineOfSight;
    const middle = { x: left + size / 2, y: top + size / 2 };
    return (
      !lineOfSight.detail.isExactAt(middle.x, middle.y) || !lineOfSight.meetsUnsafe(middle, middle)
    );
  }

  /** Far from the ends, blocks are not divided: a block exists only if the block around it is free. */
  #exists(level: number, x: number, y: number): boolean {
    const { water, detail } = this.lineOfSight;
    if (detail === FULL_DETAIL) return true;
    let up = 0;
    while (
      level + up < TOP_LEVEL &&
      !detail.mayDivide(level + up + 1, x >> (up + 1), y >> (up + 1))
    ) {
      up++;
    }
    return up === 0 || water.classOf(level + up, x >> up, y >> up) === FREE;
  }

  #classify(level: number, x: number, y: number): number {
    const kind = this.lineOfSight.water.classOf(level, x, y);
    if (kind === BLOCKED) return CLOSED;
    if (kind === MIXED) return MIXED_BLOCK;
    if (this.#vary && !this.costModel.isEven(level, x, y)) return DIVIDED;
    const { lateralMeters } = this.lineOfSight.water.needs;
    if (lateralMeters === 0 || level === 0) return OPEN;
    const size = 1 << level;
    const reach = this.lineOfSight.lateralCells(y * size, (y + 1) * size);
    if (size <= SMALLEST_PARTS[this.#division] * reach) return OPEN;
    if (this.#division === 'quick' && this.#isCenterClear(x * size, y * size, size, reach)) {
      return OPEN;
    }
    return this.isAllClear(level, x, y) ? OPEN : DIVIDED;
  }
}
