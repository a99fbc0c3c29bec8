// Paints one square: each cell gets the worst of everything that touches it, including its border.
// A value holds for the whole closed cell, so nothing can be hidden between two cells.

import type { Box, Flat } from '../../shared/geo/clip-box.ts';
import {
  codeOfClearance,
  codeOfDepth,
  NEVER_DEEP,
  OPEN_SKY,
} from '../../shared/route/depth-code.ts';
import { LANE_CODES, SEA_FLAGS } from '../../shared/route/sea.ts';
import type { CutItem } from './cut-item.ts';
import { type Effect, gridUnits } from './item.ts';

const BEARING_STEP = 1.5;
const DEEPEST = 255;
/** Four cells of deep water, as a signed number. */
const ALL_DEEPEST = -1;
/** Flags of cells with a direction. */
const DIRECTED = SEA_FLAGS.lane | SEA_FLAGS.oneWay;
/**
 * Part of a cell: far more than the rounding errors of crossings, far less than a relevant length.
 */
const TOUCH = 1e-6;

/** The cells of a square, or of a square at a half or a quarter of its resolution, and so on. */
export interface Cells {
  readonly width: number;
  readonly depth: Uint8Array;
  readonly clearance: Uint8Array | undefined;
  readonly flags: Uint16Array | undefined;
  readonly bearing: Uint8Array | undefined;
}

export class Canvas {
  readonly #width: number;
  readonly #box: Box;
  /** Units of the hazard grid in a cell. */
  readonly #unit: number;
  readonly #depth: Uint8Array;
  #isKnown: Uint8Array | undefined;
  #isAllKnown = false;
  #clearance: Uint8Array | undefined;
  #flags: Uint16Array | undefined;
  #bearing: Uint8Array | undefined;
  // Values of the item that is being painted.
  #code = DEEPEST;
  #height = OPEN_SKY;
  #mark = 0;
  #course: number = LANE_CODES.unknown;
  #isGround = false;

  /** @param width cells along each side of the box */
  constructor(box: Box, width: number) {
    this.#width = width;
    this.#box = box;
    this.#unit = (box.right - box.left) / width;
    this.#depth = new Uint8Array(width * width).fill(DEEPEST);
  }

  paint({ item, paths, isWhole }: CutItem): void {
    this.#begin(item.effect, isWhole);
    if (isWhole) {
      this.#run(0, this.#depth.length - 1);
      return;
    }
    const { radius } = item.effect;
    const isRing = item.shape === 'area';
    if (isRing) this.#fill(paths);
    for (const path of paths) {
      const last = path.length - 2;
      if (isRing) this.#touch(path[last]!, path[last + 1]!, path[0]!, path[1]!, radius);
      else if (last === 0) this.#touch(path[0]!, path[1]!, path[0]!, path[1]!, radius);
      for (let i = 0; i < last; i += 2) {
        this.#touch(path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!, radius);
      }
    }
  }

  /**
   * Returns the cells. Unknown ground becomes never deep; never-deep cells have no other values.
   */
  finish(): Cells {
    const [depth, isKnown] = [this.#depth, this.#isKnown];
    const [clearance, flags, bearing] = [this.#clearance, this.#flags, this.#bearing];
    if (!this.#isAllKnown) {
      for (let i = 0; i < depth.length; i++) if (isKnown?.[i] !== 1) depth[i] = NEVER_DEEP;
    }
    // Most of the sea is deep, so its cells are skipped four at a time.
    const words = new Int32Array(depth.buffer);
    for (let k = 0; k < words.length; k++) {
      if (words[k] === ALL_DEEPEST) continue;
      for (let i = 4 * k; i < 4 * k + 4; i++) {
        if (depth[i] !== NEVER_DEEP) continue;
        if (flags) flags[i] = 0;
        if (clearance) clearance[i] = OPEN_SKY;
        if (bearing) bearing[i] = LANE_CODES.none;
      }
    }
    return { width: this.#width, depth, clearance, flags, bearing };
  }

  #begin({ depth, clearance, flags, bearing, isGround }: Effect, isWhole: boolean): void {
    this.#code = depth === Number.POSITIVE_INFINITY ? DEEPEST : codeOfDepth(depth);
    this.#height = codeOfClearance(clearance);
    this.#course =
      bearing === undefined
        ? LANE_CODES.unknown
        : Math.round((((bearing % 360) + 360) % 360) / BEARING_STEP) % (360 / BEARING_STEP);
    this.#isAllKnown ||= isGround && isWhole;
    this.#isGround = isGround && !this.#isAllKnown;
    const count = this.#depth.length;
    if (this.#isGround) this.#isKnown ??= new Uint8Array(count);
    if (this.#height < OPEN_SKY) this.#clearance ??= new Uint8Array(count).fill(OPEN_SKY);
    // The flags of the first item are often those of all cells.
    const isFirst = isWhole && this.#flags === undefined && (flags & DIRECTED) === 0;
    this.#mark = isFirst ? 0 : flags;
    if (flags !== 0) this.#flags ??= new Uint16Array(count).fill(isFirst ? flags : 0);
    if ((flags & DIRECTED) !== 0) this.#bearing ??= new Uint8Array(count).fill(LANE_CODES.none);
  }

  /** Paints the cells of a row from one column to another. */
  #span(row: number, first: number, last: number): void {
    const start = row * this.#width;
    this.#run(start + Math.max(first, 0), start + Math.min(last, this.#width - 1));
  }

  #run(from: number, to: number): void {
    if (to < from) return;
    const [depth, code] = [this.#depth, this.#code];
    if (code === NEVER_DEEP) depth.fill(NEVER_DEEP, from, to + 1);
    else if (code < DEEPEST) {
      for (let i = from; i <= to; i++) if (depth[i]! > code) depth[i] = code;
    }
    if (this.#isGround) this.#isKnown!.fill(1, from, to + 1);
    if (this.#height < OPEN_SKY) {
      const [clearance, height] = [this.#clearance!, this.#height];
      for (let i = from; i <= to; i++) if (clearance[i]! > height) clearance[i] = height;
    }
    if (this.#mark === 0) return;
    const [flags, mark] = [this.#flags!, this.#mark];
    if ((mark & DIRECTED) !== 0) this.#direct(from, to, mark & SEA_FLAGS.lane);
    for (let i = from; i <= to; i++) flags[i]! |= mark;
  }

  /** Paints the direction of a lane, or of a one-way fairway in cells without a lane. */
  #direct(from: number, to: number, lane: number): void {
    const [bearing, flags, course] = [this.#bearing!, this.#flags!, this.#course];
    for (let i = from; i <= to; i++) {
      const known = flags[i]! & SEA_FLAGS.lane;
      if (known === lane) bearing[i] = joinedLanes(bearing[i]!, course);
      else if (lane !== 0) bearing[i] = course;
    }
  }

  /** Paints cells whose centre is within the rings (even-odd). Borders are painted separately. */
  #fill(rings: readonly Flat[]): void {
    const crossings: (number[] | undefined)[] = [];
    for (const ring of rings) {
      const n = ring.length;
      let x0 = this.#column(ring[n - 2]!);
      let y0 = this.#row(ring[n - 1]!) - 0.5;
      for (let i = 0; i < n; i += 2) {
        const x1 = this.#column(ring[i]!);
        const y1 = this.#row(ring[i + 1]!) - 0.5;
        // Half-open: if two edges share a vertex at the height of a row, exactly one crosses it.
        const first = Math.max(0, Math.ceil(Math.min(y0, y1)));
        const end = Math.min(this.#width, Math.ceil(Math.max(y0, y1)));
        for (let row = first; row < end; row++) {
          const x = x0 + ((row - y0) * (x1 - x0)) / (y1 - y0);
          const xs = crossings[row];
          if (xs === undefined) crossings[row] = [x];
          else xs.push(x);
        }
        x0 = x1;
        y0 = y1;
      }
    }
    crossings.forEach((xs, row) => {
      if (xs === undefined) return;
      if (xs.length > 2) xs.sort((a, b) => a - b);
      else if (xs[0]! > xs[1]!) xs.reverse();
      for (let i = 0; i + 1 < xs.length; i += 2) {
        this.#span(row, Math.ceil(xs[i]! - 0.5), Math.floor(xs[i + 1]! - 0.5));
      }
    });
  }

  /** Paints every cell that a segment touches, or that is within the radius of it. */
  #touch(ax: number, ay: number, bx: number, by: number, radiusMeters: number): void {
    const x0 = this.#column(ax);
    const y0 = this.#row(ay);
    const x1 = this.#column(bx);
    const y1 = this.#row(by);
    const radius = radiusMeters === 0 ? 0 : this.#radius(radiusMeters, ay, by);
    const reach = radius + TOUCH;
    if (Math.max(x0, x1) < -reach || Math.min(x0, x1) > this.#width + reach) return;
    const first = Math.max(0, Math.floor(Math.min(y0, y1) - reach));
    const last = Math.min(this.#width - 1, Math.floor(Math.max(y0, y1) + reach));
    const slope = y1 === y0 ? 0 : (x1 - x0) / (y1 - y0);
    const isDisc = x0 === x1 && y0 === y1;
    for (let row = first; row <= last; row++) {
      let left: number;
      let right: number;
      if (isDisc) {
        const away = Math.max(0, row - y0, y0 - (row + 1));
        const half = Math.sqrt(Math.max(0, radius * radius - away * away));
        left = x0 - half;
        right = x0 + half;
      } else {
        // The part of the segment at the heights that are within reach of the row.
        const xa = y1 === y0 ? x0 : x0 + (clamp(row - reach, y0, y1) - y0) * slope;
        const xb = y1 === y0 ? x1 : x0 + (clamp(row + 1 + reach, y0, y1) - y0) * slope;
        left = Math.min(xa, xb) - radius;
        right = Math.max(xa, xb) + radius;
      }
      const from = Math.floor(left - TOUCH);
      const to = Math.floor(right + TOUCH);
      if (to >= 0 && from < this.#width) this.#span(row, from, to);
    }
  }

  /** Maximum number of cells for a length near a segment. */
  #radius(meters: number, ay: number, by: number): number {
    return (Math.max(gridUnits(meters, ay), gridUnits(meters, by)) * 1.001) / this.#unit;
  }

  #column(x: number): number {
    return (x - this.#box.left) / this.#unit;
  }

  #row(y: number): number {
    return (y - this.#box.top) / this.#unit;
  }
}

/** Where two lanes meet, neither direction is correct. */
export function joinedLanes(a: number, b: number): number {
  if (a === b || b === LANE_CODES.none) return a;
  return a === LANE_CODES.none ? b : LANE_CODES.meet;
}

/** Limits a height to those of a segment's ends. */
function clamp(value: number, a: number, b: number): number {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  return value < low ? low : value > high ? high : value;
}
