// The cost of a metre: 1 in plain water, more near the shore, just outside a fairway, and against a
// lane or a one-way fairway. Never less than 1, so that the great circle is a lower bound.

import { SEA_FLAGS } from '../../sea.ts';
import type { Trip } from '../../trip.ts';
import { BLOCKED, FREE } from '../geometry/blocks.ts';
import { spanWithinHalfOpen } from '../geometry/corridor.ts';
import { courseDegrees, greatCircle, greatCircleMeters, type Point } from '../geometry/plane.ts';
import { DIRECTED, hasOneLane, type LaneUse, laneUseAt } from '../read/lanes.ts';
import { FINEST_FLAG_LEVEL, TOP_LEVEL, type Water } from '../read/water.ts';
import { ShoreDistance } from './shore-distance.ts';

/** Additional cost at the shore itself. It decreases to 0 at the preferred distance. */
const NEAR_SHORE = 2;
/** Water without charted depths costs as much: it must not be cheaper than the chart. */
const BESIDE_FAIRWAY = 1.1;
const ACROSS_LANE = 1.5;
/** A one-way fairway costs 4 (see `laneUseAt`). */
const AGAINST_LANE = 20;
const SEPARATION_ZONE = 20;
/** Least factor of each use. */
const LANE_FACTORS: Readonly<Record<LaneUse, number>> = {
  free: 1,
  along: 1,
  unknown: 1,
  across: ACROSS_LANE,
  meeting: ACROSS_LANE,
  meetingOneWay: ACROSS_LANE,
  against: 1,
  againstOneWay: 1,
};
/** Minimum shore distance for "safety", as a multiple of the lateral clearance. */
const SAFETY_CLEARANCES = 10;
const SAFETY_METERS = 200;
/** Leaves smaller than this may have different flags in different parts. */
const EVEN_LEVEL = 4;

export class CostModel {
  readonly #water: Water;
  /** Flags that raise or lower the cost. */
  readonly #flags: number;
  readonly #followTss: boolean;
  readonly #preferFairways: boolean;
  readonly #shoreDistance: ShoreDistance | undefined;

  constructor({ safety, options }: Trip, water: Water) {
    this.#water = water;
    this.#followTss = options.followTss;
    this.#preferFairways = options.preferFairways;
    this.#flags =
      (options.followTss ? DIRECTED | SEA_FLAGS.separation : 0) |
      (options.preferFairways ? SEA_FLAGS.fairway : 0);
    const wanted =
      options.optimize === 'safety'
        ? Math.max(
            SAFETY_METERS,
            SAFETY_CLEARANCES * water.needs.lateralMeters,
            2 * safety.shoreDistance,
          )
        : safety.shoreDistance;
    this.#shoreDistance = wanted > 0 ? new ShoreDistance(water, wanted) : undefined;
  }

  /** Whether a metre can cost more than 1 anywhere. */
  get vary(): boolean {
    return this.#flags !== 0 || this.#shoreDistance !== undefined;
  }

  /** Whether the cost can depend on the direction. */
  get dependsOnDirection(): boolean {
    return this.#followTss;
  }

  /** Whether the cost is nearly the same throughout a free block. */
  isEven(level: number, x: number, y: number): boolean {
    if (this.#shoreDistance?.isEven(level, x, y) === false) return false;
    if (this.#flags === 0 || level <= EVEN_LEVEL) return true;
    const flags = this.#water.flagsOf(level, x, y, this.#flags);
    if (((flags ^ (flags >>> 16)) & this.#flags) !== 0) return false;
    return (flags & this.#flags & DIRECTED) === 0 || hasOneLane(this.#water, level, x, y);
  }

  /** Whether every metre in a block, free or not, costs 1. */
  isPlain(level: number, x: number, y: number): boolean {
    if (this.#shoreDistance !== undefined) return false;
    if ((this.#water.flagsOf(level, x, y, this.#flags) & this.#flags) !== 0) return false;
    return !(this.#preferFairways && this.#water.isDearAround(level, x, y));
  }

  /** Cost of a metre in a leaf, for any course. */
  weightOf(level: number, x: number, y: number): number {
    let weight = 1;
    if (this.#shoreDistance !== undefined)
      weight += NEAR_SHORE * (1 - this.#shoreDistance.partAt(level, x, y));
    if (this.#flags === 0) return weight;
    const flags = this.#water.flagsOf(level, x, y, this.#flags);
    if (this.#followTss && (flags & SEA_FLAGS.separation) !== 0) return weight * SEPARATION_ZONE;
    if (this.#preferFairways && (flags & SEA_FLAGS.fairway) === 0) {
      if (this.#water.isDearAround(level, x, y)) weight *= BESIDE_FAIRWAY;
    }
    return weight;
  }

  /**
   * Factor for sailing a course through a leaf: the largest of the lanes in it. It is linear in the
   * part of the course that leads against the direction, so that a zigzag never
   * costs less than the straight course.
   */
  laneFactorOf(level: number, x: number, y: number, course: number): number {
    if (!this.#followTss) return 1;
    if ((this.#water.flagsOf(level, x, y, this.#flags) & DIRECTED) === 0) return 1;
    // Larger leaves have one lane throughout.
    const across = level === EVEN_LEVEL ? 1 << (EVEN_LEVEL - FINEST_FLAG_LEVEL) : 1;
    let factor = 1;
    for (let k = 0; k < across * across; k++) {
      const column = (x << level) + ((k % across) << FINEST_FLAG_LEVEL);
      const row = (y << level) + (Math.floor(k / across) << FINEST_FLAG_LEVEL);
      const { use, against } = laneUseAt(this.#water, column, row, course);
      factor = Math.max(factor, LANE_FACTORS[use], 1 + (AGAINST_LANE - 1) * against);
    }
    return factor;
  }
}

/** Metres of the great circle from a to b, each multiplied by the cost of its place. */
export function costAlong(water: Water, costModel: CostModel, a: Point, b: Point): number {
  if (!costModel.vary) return greatCircleMeters(a, b);
  let cost = 0;
  let from = a;
  for (const to of greatCircle(a, b)) {
    cost += greatCircleMeters(from, to) * meanWeight(water, costModel, from, to);
    from = to;
  }
  return cost;
}

function meanWeight(water: Water, costModel: CostModel, a: Point, b: Point): number {
  const course = courseDegrees(a, b);
  const weightIn = (level: number, x: number, y: number): number => {
    const size = 1 << level;
    const share = spanWithinHalfOpen(a, b, { left: x * size, top: y * size, size });
    if (share === undefined) return 0;
    const part = share[1] - share[0];
    const kind = water.classOf(level, x, y);
    if (kind === BLOCKED || costModel.isPlain(level, x, y)) return part;
    if (kind !== FREE || !costModel.isEven(level, x, y)) {
      // A line may touch a cell that is not free; it counts as plain water.
      if (level === 0) return part;
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += weightIn(level - 1, 2 * x + (i & 1), 2 * y + (i >> 1));
      return sum;
    }
    return part * costModel.weightOf(level, x, y) * costModel.laneFactorOf(level, x, y, course);
  };
  const width = Math.max(Math.abs(b.x - a.x), Math.abs(b.y - a.y), 1);
  const level = Math.min(TOP_LEVEL, Math.ceil(Math.log2(width)));
  const size = 1 << level;
  let weight = 0;
  for (let y = Math.floor(Math.min(a.y, b.y) / size); y * size <= Math.max(a.y, b.y); y++) {
    for (let x = Math.floor(Math.min(a.x, b.x) / size); x * size <= Math.max(a.x, b.x); x++) {
      weight += weightIn(level, x, y);
    }
  }
  return weight;
}
