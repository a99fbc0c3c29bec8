// Measures the cells along a leg: the least depth and clearance, the kinds of area that it passes,
// and the length without a charted depth.

import { entryAt, partOf } from '../../cell-table.ts';
import { clearanceOfCode, DEEPEST_CODE, depthOfCode, OPEN_SKY } from '../../depth-code.ts';
import { SEA_FLAGS } from '../../sea.ts';
import { type Span, spanWithin, spanWithinHalfOpen } from '../geometry/corridor.ts';
import { legMeters, type Point, WORLD_CELLS } from '../geometry/plane.ts';
import { indexIn, TOP_LEVEL, type View, type Water } from './water.ts';

export interface Survey {
  /** Metres; `undefined` if only the background covers the leg. */
  readonly depth: number | undefined;
  readonly depthAt: Point | undefined;
  /**
   * Whether the water has an unknown depth. `depth` is then that of an object in it, or the greatest
   * possible one (DRVAL2).
   */
  readonly isUnknownDepth: boolean;
  /** Metres; `undefined` if nothing is overhead. */
  readonly clearance: number | undefined;
  readonly clearanceAt: Point | undefined;
  /** SEA_FLAGS on the leg, and the first place of each. */
  readonly flags: number;
  readonly flagsAt: ReadonlyMap<number, Point>;
}

/** These are searched down to the last cell; other flags only as finely as the search has read. */
const LOOK_CLOSER = SEA_FLAGS.lock | SEA_FLAGS.openingBridge | SEA_FLAGS.passage;

/** Cells without a charted depth. */
const NO_DEPTH = SEA_FLAGS.background | SEA_FLAGS.unknownDepth;

/**
 * Whether cells state no depth. The code of a cell with `unknownDepth` is that of an object in it, or
 * the greatest possible depth (DRVAL2): the water may be shallower.
 */
const isUncharted = (depth: number, flags: number): boolean =>
  (flags & SEA_FLAGS.background) !== 0 ||
  (depth === DEEPEST_CODE && (flags & SEA_FLAGS.unknownDepth) !== 0);

export function surveyLeg(water: Water, a: Point, b: Point): Survey {
  return new Surveyor(water, a, b).survey();
}

/**
 * Metres of a leg in cells without a charted depth, outside the charts or in unsurveyed water. The
 * resolution is that of the squares that the search has read. Never less than the true length.
 */
export function metersWithoutDepth(water: Water, a: Point, b: Point): number {
  const metersIn = (view: View, level: number, x: number, y: number): number => {
    const size = 1 << level;
    const share = spanWithinHalfOpen(a, b, { left: x * size, top: y * size, size });
    if (share === undefined) return 0;
    const { cells, cellLevel, finer } = view;
    const above = level - cellLevel;
    const i = indexIn(view, above, level, x & (WORLD_CELLS / size - 1), y);
    const entry = entryAt(cells, above, i);
    if ((cells.anyFlags[entry]! & NO_DEPTH) === 0) return 0;
    const isAll = (cells.allFlags[entry]! & NO_DEPTH) !== 0;
    const below = above === 0 ? finer[partOf(i, view.square.width)] : view;
    if (isAll || below === undefined)
      return legMeters(pointAt(a, b, share[0]), pointAt(a, b, share[1]));
    let meters = 0;
    for (let k = 0; k < 4; k++)
      meters += metersIn(below, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1));
    return meters;
  };
  let meters = 0;
  for (const [x, y] of rootsAlong(a, b))
    meters += metersIn(water.rootAt(x & 3, y), TOP_LEVEL, x, y);
  return Math.min(meters, legMeters(a, b));
}

/** Squares of the coarsest zoom within `halfWidth` cells of a leg, x unwrapped. */
export function* rootsAlong(
  a: Point,
  b: Point,
  halfWidth = 0,
): Generator<readonly [x: number, y: number]> {
  const size = 1 << TOP_LEVEL;
  const row = (y: number) => Math.max(0, Math.min(3, Math.floor(y / size)));
  const bottom = row(Math.max(a.y, b.y) + halfWidth);
  const right = Math.floor((Math.max(a.x, b.x) + halfWidth) / size);
  for (let y = row(Math.min(a.y, b.y) - halfWidth); y <= bottom; y++) {
    for (let x = Math.floor((Math.min(a.x, b.x) - halfWidth) / size); x <= right; x++) yield [x, y];
  }
}

export function pointAt(a: Point, b: Point, part: number): Point {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

class Surveyor {
  readonly #water: Water;
  readonly #a: Point;
  readonly #b: Point;
  #depth = 256;
  #depthAt: Point | undefined;
  #isUnknownDepth = false;
  #clearance = OPEN_SKY;
  #clearanceAt: Point | undefined;
  #flags = 0;
  readonly #flagsAt = new Map<number, Point>();

  constructor(water: Water, a: Point, b: Point) {
    this.#water = water;
    this.#a = a;
    this.#b = b;
  }

  survey(): Survey {
    for (const [x, y] of rootsAlong(this.#a, this.#b)) {
      this.#visit(this.#water.rootAt(x & 3, y), TOP_LEVEL, x, y);
    }
    return {
      depth: this.#depth === 256 ? undefined : depthOfCode(this.#depth),
      depthAt: this.#depthAt,
      isUnknownDepth: this.#isUnknownDepth,
      clearance: this.#clearance === OPEN_SKY ? undefined : clearanceOfCode(this.#clearance),
      clearanceAt: this.#clearanceAt,
      flags: this.#flags,
      flagsAt: this.#flagsAt,
    };
  }

  #visit(view: View, level: number, x: number, y: number): void {
    const size = 1 << level;
    const span = spanWithin(this.#a, this.#b, { left: x * size, top: y * size, size });
    if (span === undefined) return;
    const { square, cells, cellLevel, finer } = view;
    const above = level - cellLevel;
    const i = indexIn(view, above, level, x & (WORLD_CELLS / size - 1), y);
    const entry = entryAt(cells, above, i);
    const depth = cells.least[entry]!;
    const clearance = cells.clearance[entry]!;
    const flags = cells.anyFlags[entry]!;
    const isNews =
      (this.#isLess(depth) && (cells.allFlags[entry]! & SEA_FLAGS.background) === 0) ||
      // Includes a higher clearance than the last, and each opening bridge: the edges of the squares
      // report each of them.
      clearance < OPEN_SKY ||
      (flags & (~this.#flags | SEA_FLAGS.openingBridge)) !== 0;
    if (!isNews) return;
    if (above > 0) {
      this.#visitParts(view, level, x, y);
      return;
    }
    const part = partOf(i, square.width);
    if (square.hasFiner[part] === 1) {
      const known = finer[part];
      if (known !== undefined || clearance < OPEN_SKY || (flags & LOOK_CLOSER) !== 0) {
        this.#visitParts(known ?? this.#water.finerAt(view, part), level, x, y);
        return;
      }
    }
    this.#note(this.#middleOf(span), depth, clearance, flags);
  }

  #visitParts(view: View, level: number, x: number, y: number): void {
    for (let k = 0; k < 4; k++) this.#visit(view, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1));
  }

  /** A charted depth counts before an equal one in water of unknown depth. */
  #isLess(depth: number): boolean {
    return depth < this.#depth || (depth === this.#depth && this.#isUnknownDepth);
  }

  #note(at: Point, depth: number, clearance: number, flags: number): void {
    const isUnknown = (flags & SEA_FLAGS.unknownDepth) !== 0;
    const isNew = depth < this.#depth || (this.#isLess(depth) && !isUnknown);
    if (isNew && !isUncharted(depth, flags)) {
      this.#depth = depth;
      this.#depthAt = at;
      this.#isUnknownDepth = isUnknown;
    }
    if (clearance < this.#clearance) {
      this.#clearance = clearance;
      this.#clearanceAt = at;
    }
    for (let flag = 1; flag <= flags; flag <<= 1) {
      if ((flags & flag) !== 0 && (this.#flags & flag) === 0) this.#flagsAt.set(flag, at);
    }
    this.#flags |= flags;
  }

  #middleOf([t0, t1]: Span): Point {
    const [a, b] = [this.#a, this.#b];
    return { x: a.x + ((b.x - a.x) * (t0 + t1)) / 2, y: a.y + ((b.y - a.y) * (t0 + t1)) / 2 };
  }
}
