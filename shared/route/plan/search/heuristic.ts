// Guides a search when the straight way is closed: lengths of ways to the goal over a coarse grid,
// in which every block that is not entirely blocked may be passed. They follow bays and capes,
// which the great circle does not, so that far fewer leaves are expanded. The lengths are computed
// from the goal outwards, only as far as needed (as in Silver's cooperative pathfinding, 2005).

import { BLOCKED } from '../geometry/blocks.ts';
import { greatCircleMeters, metersPerCell, type Point, WORLD_LEVEL } from '../geometry/plane.ts';
import { WorkMeter } from '../read/pause.ts';
import { TOP_LEVEL, type Water } from '../read/water.ts';
import { Heap } from './heap.ts';
import { LandBridges } from './land-bridges.ts';
import { LeafTable } from './leaf-table.ts';

/** Approximate number of blocks between the two ends, in a straight line. */
const BLOCKS_BETWEEN = 64;
/** Maximum number of blocks; above it, the grid is made coarser. */
const MOST_TAKEN = 32_000;
const COARSER_LEVELS = 2;
/** Blocks processed between two pauses: some milliseconds. */
const BLOCKS_AT_ONCE = 250;
/**
 * A path over the grid is longer than the true path by the same factor as a path over leaves. A
 * slightly larger factor makes the search follow the grid closely: on real charts it expands a
 * third of the leaves, and the paths are 0.01 % longer.
 */
const SURE_PART = 1.15;
/**
 * Blocks by which the true path may be shorter, because of the place of its ends in their blocks.
 */
const SURE_BLOCKS = 1.5;

/** Blocks of this level contain water on both sides of land between oceans: 20 km and more. */
const BRIDGED_LEVEL = 11;

export class Heuristic {
  readonly #water: Water;
  readonly #from: Point;
  readonly #to: Point;
  /** `undefined` if the blocks are small enough without them. */
  #bridges: LandBridges | undefined;
  #level = 0;
  #table = new LeafTable();
  #heap = new Heap();
  #taken = 0;
  readonly #meter = new WorkMeter(BLOCKS_AT_ONCE);

  constructor(water: Water, from: Point, to: Point) {
    this.#water = water;
    this.#from = from;
    this.#to = to;
    const cells = greatCircleMeters(from, to) / metersPerCell((from.y + to.y) / 2);
    this.#start(Math.round(Math.log2(Math.max(1, cells / BLOCKS_BETWEEN))));
  }

  /**
   * Metres from a place to the goal over the grid, for comparisons; infinite if there is no path.
   *
   * @throws MissingSquare, Pause; call it again to continue
   */
  bound(x: number, y: number): number {
    let block = this.#blockAt(x, y);
    while (this.#table.closed[block] !== 1) {
      // A block at a land bridge counts as on one side of it, but has water of the other side too.
      if (this.#heap.size === 0) return this.#bridges?.wereMet ? 0 : Number.POSITIVE_INFINITY;
      if (this.#taken < MOST_TAKEN) {
        this.#takeNext();
        continue;
      }
      this.#start(this.#level + COARSER_LEVELS);
      block = this.#blockAt(x, y);
    }
    const size = (1 << this.#level) * metersPerCell(y);
    return SURE_PART * Math.max(0, this.#table.cost[block]! - SURE_BLOCKS * size);
  }

  #start(wanted: number): void {
    const level = Math.min(TOP_LEVEL, wanted);
    if (level >= BRIDGED_LEVEL) this.#bridges ??= new LandBridges(this.#water);
    this.#level = level;
    this.#table = new LeafTable();
    this.#heap = new Heap();
    this.#taken = 0;
    const goal = this.#blockAt(this.#to.x, this.#to.y);
    this.#table.cost[goal] = 0;
    this.#heap.push(this.#ahead(goal), goal);
  }

  #blockAt(x: number, y: number): number {
    const mask = (1 << (WORLD_LEVEL - this.#level)) - 1;
    return this.#table.indexOf(
      this.#level,
      (Math.floor(x) >> this.#level) & mask,
      Math.floor(y) >> this.#level,
    );
  }

  /** Straight-line distance in metres from a block to the start of the search. */
  #ahead(block: number): number {
    const { x, y } = this.#from;
    return greatCircleMeters(
      { x, y },
      { x: this.#table.pointX(block), y: this.#table.pointY(block) },
    );
  }

  /** Whether a closed land bridge lies between the centres of two blocks. */
  #isBridged(x: number, y: number, nextX: number, nextY: number): boolean {
    if (this.#bridges === undefined) return false;
    const size = 1 << this.#level;
    return this.#bridges.lieBetween(
      (x + 0.5) * size,
      (y + 0.5) * size,
      (nextX + 0.5) * size,
      (nextY + 0.5) * size,
    );
  }

  #takeNext(): void {
    const table = this.#table;
    const block = this.#heap.top();
    if (table.closed[block] === 1) {
      this.#heap.pop();
      return;
    }
    this.#meter.check();
    const level = this.#level;
    const mask = (1 << (WORLD_LEVEL - level)) - 1;
    const x = table.x[block]!;
    const y = table.y[block]!;
    const meters = (1 << level) * metersPerCell(table.pointY(block));
    // The sea is read before any state changes, because a square may be missing.
    let open = 0;
    for (let k = 0; k < 9; k++) {
      const row = y + Math.floor(k / 3) - 1;
      if (k === 4 || row < 0 || row > mask) continue;
      if (this.#water.classOf(level, (x + (k % 3) - 1) & mask, row) === BLOCKED) continue;
      if (!this.#isBridged(x, y, x + (k % 3) - 1, row)) open |= 1 << k;
    }
    this.#heap.pop();
    table.closed[block] = 1;
    this.#taken++;
    this.#meter.add(1);
    for (let k = 0; k < 9; k++) {
      if ((open & (1 << k)) === 0) continue;
      const next = table.indexOf(level, (x + (k % 3) - 1) & mask, y + Math.floor(k / 3) - 1);
      const through = table.cost[block]! + (k % 2 === 0 ? Math.SQRT2 : 1) * meters;
      if (through >= table.cost[next]!) continue;
      table.cost[next] = through;
      this.#heap.push(through + this.#ahead(next), next);
    }
  }
}
