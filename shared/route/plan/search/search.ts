// A* over the free blocks of the sea: large blocks in open water, single cells in a channel. Moves
// go from centre to centre, across shared sides, and across corners between equal blocks.

import { EARTH_RADIUS_METERS } from '../../../geo/earth.ts';
import {
  courseDegrees,
  type Point,
  unwrapNear,
  WORLD_CELLS,
  WORLD_LEVEL,
} from '../geometry/plane.ts';
import type { LineOfSight } from '../sight/line-of-sight.ts';
import type { CostModel } from './cost-model.ts';
import { Heap } from './heap.ts';
import type { Heuristic } from './heuristic.ts';
import { ALL_CLEAR, LeafTable, NOT_CLEAR, PARTLY_CLEAR, UNTESTED } from './leaf-table.ts';
import type { Leaves } from './leaves.ts';

export type SearchEnd = 'found' | 'none' | 'limit';

/** Leaves tried around a waypoint if the centre of its own leaf cannot be reached from it. */
const ENTRY_LEAVES = 64;
const SIDES = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const GOAL = -1;
/** Distance, in cells, that moved centres keep from the sides of their cells. */
const INSIDE_CELLS = 1e-3;
/** Cost of a metre near an unsafe edge, so that small leaves along the shore are expanded last. */
const PARTLY_CLEAR_COST = 1.05;

export class Search {
  readonly #lineOfSight: LineOfSight;
  readonly #costModel: CostModel;
  readonly #vary: boolean;
  readonly #leaves: Leaves;
  readonly #heuristic: Heuristic | undefined;
  readonly #from: Point;
  readonly #to: Point;
  readonly #table = new LeafTable();
  readonly #heap = new Heap();
  #goals: Map<number, number> | undefined;
  #goalVector = new Float64Array(3);
  #goalCost = Number.POSITIVE_INFINITY;
  #goalParent = -1;
  expanded = 0;
  // Neighbours of the current leaf.
  #near: number[] = [];
  readonly #nearBounds: number[] = [];
  readonly #nearCosts: number[] = [];
  /** The current leaf, and the neighbours that were found before a square was missing. */
  #currentLeaf = -1;
  readonly #foundBounds = new Map<number, number>();

  constructor(leaves: Leaves, from: Point, to: Point, heuristic?: Heuristic) {
    this.#lineOfSight = leaves.lineOfSight;
    this.#costModel = leaves.costModel;
    this.#vary = leaves.costModel.vary;
    this.#leaves = leaves;
    this.#heuristic = heuristic;
    this.#from = from;
    this.#to = to;
  }

  /**
   * Runs until `limit` leaves in all are expanded. Call it again after MissingSquare or Pause to
   * continue.
   */
  run(limit: number): SearchEnd {
    if (this.#goals === undefined) this.#begin();
    const heap = this.#heap;
    const table = this.#table;
    while (heap.size > 0) {
      const leaf = heap.top();
      if (leaf === GOAL) return 'found';
      if (table.closed[leaf] === 1) {
        heap.pop();
        continue;
      }
      if (this.expanded >= limit) return 'limit';
      // All reads of the sea come first: no state changes if one of them fails.
      this.#collectAround(leaf);
      heap.pop();
      table.closed[leaf] = 1;
      this.expanded++;
      this.#push(leaf);
    }
    return 'none';
  }

  /** The points of the path, x unwrapped. */
  path(): Point[] {
    const points: Point[] = [];
    for (let leaf = this.#goalParent; leaf >= 0; leaf = this.#table.parent[leaf]!) {
      points.push({ x: this.#table.pointX(leaf), y: this.#table.pointY(leaf) });
    }
    points.push(this.#from);
    points.reverse();
    points.push(this.#to);
    for (let i = 1; i < points.length; i++) {
      const { x, y } = points[i]!;
      points[i] = { x: unwrapNear(x, points[i - 1]!.x), y };
    }
    return points;
  }

  #begin(): void {
    const starts = this.#entries(this.#from);
    const goals = this.#entries(this.#to);
    this.#goalVector.set(vectorOf(this.#table, goals[0]?.leaf ?? 0));
    const bounds = starts.map(({ leaf }) => this.#boundOnce(leaf));
    this.#goals = new Map(goals.map(({ leaf, meters }) => [leaf, meters]));
    if (goals.length === 0) return;
    for (const [i, { leaf, meters }] of starts.entries()) {
      this.#table.cost[leaf] = meters;
      this.#heap.push(meters + bounds[i]!, leaf);
    }
  }

  /** Leaves whose centres can be reached in a straight line from a point, with the distance. */
  #entries(point: Point): { leaf: number; meters: number }[] {
    const own = this.#leafAt(point);
    if (own < 0) return [];
    const entries: { leaf: number; meters: number }[] = [];
    const seen = [own];
    for (let i = 0; i < seen.length && i < ENTRY_LEAVES; i++) {
      const leaf = seen[i]!;
      const state = this.#clearanceStateOf(leaf);
      const center = this.#centerNear(leaf, point.x);
      if (state !== NOT_CLEAR && this.#lineOfSight.isClear(point, center)) {
        const meters = metersBetween(point, center);
        entries.push({ leaf, meters });
        if (i === 0) break;
      }
      this.#enumerate(leaf);
      for (const next of this.#near) if (!seen.includes(next)) seen.push(next);
    }
    return entries;
  }

  #leafAt({ x, y }: Point): number {
    const cellX = Math.floor(x) & ((1 << WORLD_LEVEL) - 1);
    const cellY = Math.floor(y);
    const level = this.#leaves.levelAt(cellX, cellY);
    return level < 0 ? -1 : this.#table.indexOf(level, cellX >> level, cellY >> level);
  }

  /**
   * Fills `#near` with the leaves that can be reached from a leaf with the lateral clearance, and
   * `#nearCosts` with the costs.
   */
  #collectAround(leaf: number): void {
    if (this.#currentLeaf !== leaf) this.#foundBounds.clear();
    this.#currentLeaf = leaf;
    this.#enumerate(leaf);
    const table = this.#table;
    const near = this.#near;
    let kept = 0;
    const state = this.#clearanceStateOf(leaf);
    for (const next of near) {
      if (table.closed[next] === 1) continue;
      const nextState = this.#clearanceStateOf(next);
      if (nextState === NOT_CLEAR) continue;
      if ((state !== ALL_CLEAR || nextState !== ALL_CLEAR) && !this.#isClearBetween(leaf, next))
        continue;
      const bound = this.#boundOnce(next);
      if (bound === Number.POSITIVE_INFINITY) continue;
      this.#nearBounds[kept] = bound;
      this.#nearCosts[kept] = this.#costBetween(leaf, next);
      near[kept++] = next;
    }
    near.length = kept;
  }

  /** Whether the line between two neighbours is clear. At least one of them is not ALL_CLEAR. */
  #isClearBetween(a: number, b: number): boolean {
    const table = this.#table;
    const lineOfSight = this.#lineOfSight;
    const from = { x: table.pointX(a), y: table.pointY(a) };
    const to = this.#centerNear(b, from.x);
    const clearance = lineOfSight.lateralCells(from.y, to.y);
    if (table.isMoved(a) || table.isMoved(b)) return lineOfSight.isClear(from, to);
    // No point between them is farther from both than half the distance.
    const apart = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y)) * Math.SQRT2;
    if (table.edgeDistance[a]! + table.edgeDistance[b]! >= 2 * clearance + apart) return true;
    if (lineOfSight.detail.isExactAt(from.x, from.y)) return !lineOfSight.meetsUnsafe(from, to);
    return lineOfSight.isFree(from, to, clearance);
  }

  /** Centre of a leaf, on the copy of the world that is nearest to the given x. */
  #centerNear(leaf: number, x: number): Point {
    const table = this.#table;
    return { x: unwrapNear(table.pointX(leaf), x), y: table.pointY(leaf) };
  }

  #clearanceStateOf(leaf: number): number {
    const table = this.#table;
    const known = table.clearanceState[leaf]!;
    if (known !== UNTESTED) return known;
    const lineOfSight = this.#lineOfSight;
    const half = (1 << table.level[leaf]!) / 2;
    let state: number = ALL_CLEAR;
    let edgeDistance = half;
    if (lineOfSight.water.needs.lateralMeters > 0) {
      const y = table.pointY(leaf);
      const reach = lineOfSight.lateralCells(y - half, y + half);
      edgeDistance += reach;
      if (!this.#leaves.isAllClear(table.level[leaf]!, table.x[leaf]!, table.y[leaf]!)) {
        const x = table.pointX(leaf);
        edgeDistance = lineOfSight.detail.isExactAt(x, y)
          ? lineOfSight.distanceToUnsafe({ x, y }, 2 * half + reach, reach)
          : 0;
        state = edgeDistance > 0 && edgeDistance < reach ? NOT_CLEAR : PARTLY_CLEAR;
        // In a narrow passage, a point next to the centre may have the clearance.
        if (state === NOT_CLEAR && table.level[leaf] === 0 && edgeDistance > reach - 2 * half) {
          const place = lineOfSight.placeWithin({ x, y }, half - INSIDE_CELLS, reach);
          if (place !== undefined) {
            table.move(leaf, place);
            [state, edgeDistance] = [PARTLY_CLEAR, reach];
          }
        }
      }
    }
    table.edgeDistance[leaf] = edgeDistance;
    table.clearanceState[leaf] = state;
    return state;
  }

  /** Fills `#near` with the leaves around a leaf. */
  #enumerate(leaf: number): void {
    const level = this.#table.level[leaf]!;
    const x = this.#table.x[leaf]!;
    const y = this.#table.y[leaf]!;
    this.#near.length = 0;
    let free = 0;
    for (let side = 0; side < 4; side++) {
      const [dx, dy] = SIDES[side]!;
      if (this.#addSide(level, x + dx, y + dy, side)) free |= 1 << side;
    }
    for (let side = 0; side < 4; side++) {
      const next = (side + 1) & 3;
      if ((free & (1 << side)) === 0 || (free & (1 << next)) === 0) continue;
      const cornerX = x + SIDES[side]![0] + SIDES[next]![0];
      const cornerY = y + SIDES[side]![1] + SIDES[next]![1];
      if (this.#leaves.levelAround(level, cornerX, cornerY) !== level) continue;
      this.#near.push(this.#table.indexOf(level, wrapped(level, cornerX), cornerY));
    }
  }

  /**
   * Adds the leaves of a block along the side that faces back.
   *
   * @returns whether one leaf contains all of the block
   */
  #addSide(level: number, x: number, y: number, side: number): boolean {
    const around = this.#leaves.levelAround(level, x, y);
    if (around >= 0) {
      const up = around - level;
      this.#near.push(this.#table.indexOf(around, wrapped(around, x >> up), y >> up));
      return true;
    }
    if (!this.#leaves.isDivided(level, x, y)) return false;
    const [dx, dy] = SIDES[side]!;
    // The halves that touch: the western halves of a block in the east, and so on.
    const x0 = 2 * x + (dx < 0 ? 1 : 0);
    const y0 = 2 * y + (dy < 0 ? 1 : 0);
    this.#addSide(level - 1, x0, y0, side);
    this.#addSide(level - 1, x0 + (dx === 0 ? 1 : 0), y0 + (dy === 0 ? 1 : 0), side);
    return false;
  }

  #push(leaf: number): void {
    const table = this.#table;
    const cost = table.cost[leaf]!;
    const rest = this.#goals!.get(leaf);
    if (rest !== undefined && cost + rest < this.#goalCost) {
      this.#goalCost = cost + rest;
      this.#goalParent = leaf;
      this.#heap.push(this.#goalCost, GOAL);
    }
    for (const [i, next] of this.#near.entries()) {
      const through = cost + this.#nearCosts[i]!;
      if (through >= table.cost[next]!) continue;
      table.cost[next] = through;
      table.parent[next] = leaf;
      this.#heap.push(through + this.#nearBounds[i]!, next);
    }
  }

  #costBetween(a: number, b: number): number {
    const { vector } = this.#table;
    const meters = chordMeters(
      vector[3 * a]! - vector[3 * b]!,
      vector[3 * a + 1]! - vector[3 * b + 1]!,
      vector[3 * a + 2]! - vector[3 * b + 2]!,
    );
    const { clearanceState } = this.#table;
    const slow = clearanceState[b] === PARTLY_CLEAR ? PARTLY_CLEAR_COST : 1;
    return this.#vary ? slow * meters * this.#weightBetween(a, b) : slow * meters;
  }

  #weightBetween(a: number, b: number): number {
    const table = this.#table;
    const sizeA = 1 << table.level[a]!;
    const sizeB = 1 << table.level[b]!;
    const ax = table.pointX(a);
    const course = courseDegrees({ x: ax, y: table.pointY(a) }, this.#centerNear(b, ax));
    return (
      (this.#weightOf(a, course) * sizeA + this.#weightOf(b, course) * sizeB) / (sizeA + sizeB)
    );
  }

  #weightOf(leaf: number, course: number): number {
    const table = this.#table;
    const [level, x, y] = [table.level[leaf]!, table.x[leaf]!, table.y[leaf]!];
    const weight = this.#costModel.weightOf(level, x, y);
    return weight * this.#costModel.laneFactorOf(level, x, y, course);
  }

  /**
   * The bound of a leaf, cached while the neighbours of a leaf are collected: each call of the
   * heuristic can change its result, and a missing square restarts the collection.
   */
  #boundOnce(leaf: number): number {
    const found = this.#foundBounds.get(leaf);
    if (found !== undefined) return found;
    const bound = this.#bound(leaf);
    this.#foundBounds.set(leaf, bound);
    return bound;
  }

  /** Lower bound of the distance in metres from a leaf to the goal. */
  #bound(leaf: number): number {
    const { vector } = this.#table;
    const goal = this.#goalVector;
    const meters = chordMeters(
      vector[3 * leaf]! - goal[0]!,
      vector[3 * leaf + 1]! - goal[1]!,
      vector[3 * leaf + 2]! - goal[2]!,
    );
    if (this.#heuristic === undefined) return meters;
    const estimated = this.#heuristic.bound(this.#table.pointX(leaf), this.#table.pointY(leaf));
    return estimated > meters ? estimated : meters;
  }
}

function wrapped(level: number, x: number): number {
  return x & ((1 << (WORLD_LEVEL - level)) - 1);
}

function vectorOf(table: LeafTable, leaf: number): Float64Array {
  return table.vector.subarray(3 * leaf, 3 * leaf + 3);
}

/** Length of the great circle for a chord of the unit sphere. */
function chordMeters(dx: number, dy: number, dz: number): number {
  const squared = dx * dx + dy * dy + dz * dz;
  const chord = Math.sqrt(squared);
  // The series of 2 asin(c / 2). It is exact to a millimetre for the longest moves, and not less
  // than the chord for the longest bounds.
  return EARTH_RADIUS_METERS * chord * (1 + squared * (1 / 24 + squared * (3 / 640)));
}

function metersBetween(a: Point, b: Point): number {
  const scale = (2 * Math.PI * EARTH_RADIUS_METERS) / WORLD_CELLS;
  const cosine = 1 / Math.cosh(2 * Math.PI * (0.5 - (a.y + b.y) / 2 / WORLD_CELLS));
  return Math.hypot(a.x - b.x, a.y - b.y) * scale * cosine;
}
