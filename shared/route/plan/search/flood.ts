// The nodes of the graph of the oceans that are nearest to an end which sees none of them: those that
// a flood over coarse blocks reaches first.

import { BLOCKED } from '../geometry/blocks.ts';
import { metersPerCell, type Point, WORLD_LEVEL } from '../geometry/plane.ts';
import { WorkMeter } from '../read/pause.ts';
import type { Water } from '../read/water.ts';
import { Heap } from './heap.ts';
import { oceanGraph } from './ocean-graph.ts';

const NODES_REACHED = 5;
/** Level of the blocks: 9.8 km at the equator. */
const BLOCK_LEVEL = 10;
const MOST_BLOCKS = 20_000;
/** Blocks taken between two pauses: some milliseconds. */
const BLOCKS_AT_ONCE = 500;
/** Cost of a blocked block: no way to it is shorter. */
const NEVER_LESS = 0;

const BLOCKS_ACROSS = 2 ** (WORLD_LEVEL - BLOCK_LEVEL);
const columnOf = ({ x }: Point) => (x >> BLOCK_LEVEL) & (BLOCKS_ACROSS - 1);
const rowOf = ({ y }: Point) => y >> BLOCK_LEVEL;
const keyOf = (column: number, row: number) => row * BLOCKS_ACROSS + column;

/** The first nodes in a flood over all blocks that contain some water. */
export class Flood {
  readonly #water: Water;
  readonly #costs: Map<number, number>;
  readonly #closed = new Set<number>();
  readonly #heap = new Heap();
  readonly #nodesIn = new Map<number, number[]>();
  readonly #reached = new Map<number, number>();
  readonly #meter = new WorkMeter(BLOCKS_AT_ONCE);

  constructor(water: Water, end: Point) {
    this.#water = water;
    const start = keyOf(columnOf(end), rowOf(end));
    this.#costs = new Map([[start, 0]]);
    this.#heap.push(0, start);
    for (const [node, point] of oceanGraph().points.entries()) {
      const key = keyOf(columnOf(point), rowOf(point));
      this.#nodesIn.set(key, [...(this.#nodesIn.get(key) ?? []), node]);
    }
  }

  /** The nodes that it reaches first, with the metres. @throws MissingSquare, Pause; call it again. */
  nodes(): ReadonlyMap<number, number> {
    const [heap, closed] = [this.#heap, this.#closed];
    while (heap.size > 0 && closed.size < MOST_BLOCKS && this.#reached.size < NODES_REACHED) {
      const key = heap.top();
      this.#meter.check();
      const next = closed.has(key) ? [] : this.#openAround(key);
      heap.pop();
      if (closed.has(key)) continue;
      this.#meter.add(1);
      closed.add(key);
      const meters = this.#costs.get(key)!;
      for (const node of this.#nodesIn.get(key) ?? []) this.#reached.set(node, meters);
      for (const [block, cost] of next) {
        this.#costs.set(block, cost);
        heap.push(cost, block);
      }
    }
    return this.#reached;
  }

  /** Blocks around one that are reached for less than before, with the costs. */
  #openAround(key: number): (readonly [key: number, cost: number])[] {
    const found: (readonly [key: number, cost: number])[] = [];
    const [x, y] = [key % BLOCKS_ACROSS, Math.floor(key / BLOCKS_ACROSS)];
    const meters = metersPerCell((y + 0.5) * 2 ** BLOCK_LEVEL) * 2 ** BLOCK_LEVEL;
    for (let k = 0; k < 9; k++) {
      const [column, row] = [(x + (k % 3) - 1) & (BLOCKS_ACROSS - 1), y + Math.floor(k / 3) - 1];
      if (row < 0 || row >= BLOCKS_ACROSS) continue;
      const cost = this.#costs.get(key)! + (k % 2 === 0 ? Math.SQRT2 : 1) * meters;
      const next = keyOf(column, row);
      const known = this.#costs.get(next);
      if (known !== undefined && cost >= known) continue;
      const isOpen =
        known !== undefined || this.#water.classOf(BLOCK_LEVEL, column, row) !== BLOCKED;
      if (isOpen) found.push([next, cost]);
      else this.#costs.set(next, NEVER_LESS);
    }
    return found;
  }
}
