// What the cells along a leg say: the least depth and clearance, and which kinds of area it passes.

import { depthOfCode, OPEN_SKY } from '../depth-code.ts';
import { SEA_FLAGS } from '../sea.ts';
import type { Point } from './plane.ts';
import { TOP_LEVEL, type View, type Water } from './water.ts';

export interface Survey {
  /** Metres; undefined where only the background knows. */
  readonly depth: number | undefined;
  readonly depthAt: Point | undefined;
  /** Metres; undefined where nothing is overhead. */
  readonly clearance: number | undefined;
  readonly clearanceAt: Point | undefined;
  /** SEA_FLAGS met, and where each was met first. */
  readonly flags: number;
  readonly flagsAt: ReadonlyMap<number, Point>;
}

/** Bridges are looked for to the last cell; the rest as far as the search has looked anyway. */
const LOOK_CLOSER = SEA_FLAGS.lock | SEA_FLAGS.openingBridge;

export function surveyLeg(water: Water, a: Point, b: Point): Survey {
  return new Surveyor(water, a, b).survey();
}

class Surveyor {
  readonly #water: Water;
  readonly #a: Point;
  readonly #b: Point;
  #depth = 256;
  #depthAt: Point | undefined;
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
    const [a, b] = [this.#a, this.#b];
    const size = 1 << TOP_LEVEL;
    for (let y = row(Math.min(a.y, b.y)); y <= row(Math.max(a.y, b.y)); y++) {
      const right = Math.floor(Math.max(a.x, b.x) / size);
      for (let x = Math.floor(Math.min(a.x, b.x) / size); x <= right; x++) {
        this.#visit(this.#water.rootAt(x & 3, y), TOP_LEVEL, x, y);
      }
    }
    return {
      depth: this.#depth === 256 ? undefined : depthOfCode(this.#depth),
      depthAt: this.#depthAt,
      clearance: this.#clearance === OPEN_SKY ? undefined : this.#clearance / 2,
      clearanceAt: this.#clearanceAt,
      flags: this.#flags,
      flagsAt: this.#flagsAt,
    };
  }

  #visit(view: View, level: number, x: number, y: number): void {
    const middle = this.#middleIn(x * (1 << level), y * (1 << level), 1 << level);
    if (middle === undefined) return;
    const { square, mips, cellLevel, finer } = view;
    const above = level - cellLevel;
    const bits = 8 - above;
    const cx = (x - (square.x << bits)) & ((1 << bits) - 1);
    const cy = y - (square.y << bits);
    const i = (cy << bits) + cx;
    const depth = mips.least[above]![i]!;
    const clearance = mips.clearance?.[above]?.[i] ?? OPEN_SKY;
    const flags = mips.anyFlags?.[above]?.[i] ?? 0;
    const allFlags = mips.allFlags?.[above]?.[i] ?? 0;
    const isNews =
      (depth < this.#depth && (allFlags & SEA_FLAGS.background) === 0) ||
      clearance < this.#clearance ||
      (flags & ~this.#flags) !== 0;
    if (!isNews) return;
    if (above > 0) {
      this.#visitParts(view, level, x, y);
      return;
    }
    const part = (cy >> 5) * 8 + (cx >> 5);
    if (square.hasFiner[part] === 1) {
      const known = finer[part];
      if (known !== undefined || clearance < this.#clearance || (flags & LOOK_CLOSER) !== 0) {
        this.#visitParts(known ?? this.#water.finerAt(view, cx >> 5, cy >> 5), level, x, y);
        return;
      }
    }
    this.#note(middle, depth, clearance, flags);
  }

  #visitParts(view: View, level: number, x: number, y: number): void {
    for (let k = 0; k < 4; k++) this.#visit(view, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1));
  }

  #note(at: Point, depth: number, clearance: number, flags: number): void {
    if (depth < this.#depth && (flags & SEA_FLAGS.background) === 0) {
      this.#depth = depth;
      this.#depthAt = at;
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

  /** Middle of the part of the leg inside a block; undefined where there is none. */
  #middleIn(left: number, top: number, size: number): Point | undefined {
    const [a, b] = [this.#a, this.#b];
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    let t0 = 0;
    let t1 = 1;
    if (dx === 0) {
      if (a.x < left || a.x > left + size) return undefined;
    } else {
      t0 = Math.max(t0, Math.min((left - a.x) / dx, (left + size - a.x) / dx));
      t1 = Math.min(t1, Math.max((left - a.x) / dx, (left + size - a.x) / dx));
    }
    if (dy === 0) {
      if (a.y < top || a.y > top + size) return undefined;
    } else {
      t0 = Math.max(t0, Math.min((top - a.y) / dy, (top + size - a.y) / dy));
      t1 = Math.min(t1, Math.max((top - a.y) / dy, (top + size - a.y) / dy));
    }
    if (t0 > t1) return undefined;
    return { x: a.x + (dx * (t0 + t1)) / 2, y: a.y + (dy * (t0 + t1)) / 2 };
  }
}

function row(y: number): number {
  return Math.max(0, Math.min(3, Math.floor(y / (1 << TOP_LEVEL))));
}
