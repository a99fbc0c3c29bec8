// Smooths the line of leaf centres. A shortcut is only used if it is clear and costs no more than
// the path that it replaces.

import { greatCircle, greatCircleMeters, type Point } from '../geometry/plane.ts';
import type { Pieces, SquareRequests } from '../read/square-requests.ts';
import type { LineOfSight } from '../sight/line-of-sight.ts';
import { type CostModel, costAlong } from './cost-model.ts';

const ROUNDS = 6;
/** Rounds end when a round saves less than this part of the whole cost. */
const WORTHWHILE = 2e-4;
/** Levels of the cells of zooms 2 and 5. */
const COARSE_LEVELS = [12, 9];
const MOVES = [1, 0.5, 0.25, 0.125, 0.06, 0.03];
const CUTS = [0.5, 0.25, 0.12, 0.06];

export class Smoother {
  readonly lineOfSight: LineOfSight;
  readonly #costModel: CostModel;
  readonly #pieces: Pieces;

  constructor(lineOfSight: LineOfSight, costModel: CostModel, pieces: Pieces) {
    this.lineOfSight = lineOfSight;
    this.#costModel = costModel;
    this.#pieces = pieces;
  }

  /** @param path clear between every two neighbours; the result is too */
  *smooth(path: readonly Point[]): SquareRequests<Point[]> {
    let line = yield* this.#pull(path);
    let before = this.#length(line);
    for (let round = 0; round < ROUNDS && line.length > 2; round++) {
      line = yield* this.#cutCorners(yield* this.#moveIn(line));
      const now = this.#length(line);
      if (before - now < WORTHWHILE * before) break;
      before = now;
    }
    return yield* this.unroll(yield* this.#drop(line));
  }

  /**
   * Replaces long legs by points of the great circle if it is clear. Each piece is a straight line.
   */
  *unroll(line: readonly Point[]): SquareRequests<Point[]> {
    const points = [line[0]!];
    for (const [i, to] of line.slice(1).entries()) {
      const circle = greatCircle(line[i]!, to);
      const isCurved = circle.length > 1 && (yield* this.#isClear(line[i]!, to));
      for (const point of isCurved ? circle : [to]) points.push(point);
    }
    return points;
  }

  /** Whether the path from a to b is clear, by the great circle if it makes a difference. */
  isClear(a: Point, b: Point): boolean {
    let from = a;
    for (const to of greatCircle(a, b)) {
      if (!this.lineOfSight.isClear(from, to)) return false;
      from = to;
    }
    return true;
  }

  /** The same for a line that probably crosses land: coarse squares show most land. */
  isClearOfLand(a: Point, b: Point): boolean {
    const line = [a, ...greatCircle(a, b)];
    const isFree = (level: number) =>
      line.every((to, i) => i === 0 || this.lineOfSight.mayBeClear(line[i - 1]!, to, level));
    return COARSE_LEVELS.every(isFree) && this.isClear(a, b);
  }

  /** Whether the great circle is clear and costs 1 per metre. If so, no path is better. */
  isDirectBest(a: Point, b: Point): boolean {
    if (!this.isClear(a, b)) return false;
    return !this.#costModel.vary || this.#cost(a, b) <= greatCircleMeters(a, b) * (1 + 1e-9);
  }

  #isClear(a: Point, b: Point): SquareRequests<boolean> {
    return this.#pieces.run(() => this.isClear(a, b));
  }

  /** Cost of two legs; 0 if no metre costs more than 1. */
  *#costOf(a: Point, b: Point, c: Point): SquareRequests<number> {
    if (!this.#costModel.vary) return 0;
    return yield* this.#pieces.run(() => this.#cost(a, b) + this.#cost(b, c));
  }

  #cost(a: Point, b: Point): number {
    return costAlong(this.lineOfSight.water, this.#costModel, a, b);
  }

  #length(line: readonly Point[]): number {
    let sum = 0;
    for (let i = 1; i < line.length; i++) sum += greatCircleMeters(line[i - 1]!, line[i]!);
    return sum;
  }

  /** Connects each point to the farthest visible one, found by doubling and halving the step. */
  *#pull(path: readonly Point[]): SquareRequests<Point[]> {
    const costs = [0];
    for (let i = 1; i < path.length; i++) {
      const cost = yield* this.#pieces.run(() => this.#cost(path[i - 1]!, path[i]!));
      costs.push(costs[i - 1]! + cost);
    }
    const last = path.length - 1;
    const isShortcut = this.#isShortcut.bind(this);
    function* reaches(i: number, j: number): SquareRequests<boolean> {
      return j === i + 1 || (yield* isShortcut(path[i]!, path[j]!, costs[j]! - costs[i]!));
    }
    if (yield* reaches(0, last)) return [path[0]!, path[last]!];
    const line = [path[0]!];
    let i = 0;
    while (i < last) {
      let seen = i + 1;
      let step = 2;
      while (i + step <= last && (yield* reaches(i, i + step))) {
        seen = i + step;
        step *= 2;
      }
      let hidden = Math.min(i + step, last + 1);
      if (hidden === last + 1 && seen < last && (yield* reaches(i, last))) seen = last;
      while (hidden - seen > 1) {
        const middle = (seen + hidden) >> 1;
        if (yield* reaches(i, middle)) seen = middle;
        else hidden = middle;
      }
      line.push(path[seen]!);
      i = seen;
    }
    return line;
  }

  *#isShortcut(a: Point, b: Point, costNow: number): SquareRequests<boolean> {
    if (!(yield* this.#isClear(a, b))) return false;
    if (!this.#costModel.vary) return true;
    return (yield* this.#pieces.run(() => this.#cost(a, b))) <= costNow * (1 + 1e-9);
  }

  /** Moves each point towards the line between its neighbours as far as both lines stay clear. */
  *#moveIn(line: readonly Point[]): SquareRequests<Point[]> {
    const moved = [line[0]!];
    for (let i = 1; i < line.length - 1; i++) {
      const a = moved[moved.length - 1]!;
      const v = line[i]!;
      const c = line[i + 1]!;
      const foot = nearestOn(a, c, v);
      const costNow = yield* this.#costOf(a, v, c);
      if (yield* this.#isShortcut(a, c, costNow)) continue;
      let best = v;
      for (const part of MOVES.slice(1)) {
        const there = { x: v.x + part * (foot.x - v.x), y: v.y + part * (foot.y - v.y) };
        if (!(yield* this.#isClear(a, there)) || !(yield* this.#isClear(there, c))) continue;
        if ((yield* this.#costOf(a, there, c)) > costNow) continue;
        best = there;
        break;
      }
      moved.push(best);
    }
    moved.push(line[line.length - 1]!);
    return moved;
  }

  /** Cuts off each corner as far as the lines stay clear. Two points replace the corner. */
  *#cutCorners(line: readonly Point[]): SquareRequests<Point[]> {
    const cut = [line[0]!];
    for (let i = 1; i < line.length - 1; i++) {
      const a = cut[cut.length - 1]!;
      const v = line[i]!;
      const c = line[i + 1]!;
      const toA = Math.hypot(a.x - v.x, a.y - v.y);
      const toC = Math.hypot(c.x - v.x, c.y - v.y);
      const reach = Math.min(toA, toC);
      let isCut = false;
      for (const part of CUTS) {
        if (reach * part < 0.5) break;
        const p = towards(v, a, (reach * part) / toA);
        const q = towards(v, c, (reach * part) / toC);
        if (!(yield* this.#isShortcut(p, q, yield* this.#costOf(p, v, q)))) continue;
        // A part of a clear straight line is clear. A part of a great circle is a different line.
        if (isLong(a, v) && !(yield* this.#isClear(a, p))) continue;
        if (isLong(v, c) && !(yield* this.#isClear(q, c))) continue;
        cut.push(p, q);
        isCut = true;
        break;
      }
      if (!isCut) cut.push(v);
    }
    cut.push(line[line.length - 1]!);
    return cut;
  }

  /** Removes points if the line without them is as good. */
  *#drop(line: readonly Point[]): SquareRequests<Point[]> {
    const kept = [line[0]!];
    for (let i = 1; i < line.length - 1; i++) {
      const a = kept[kept.length - 1]!;
      const costNow = yield* this.#costOf(a, line[i]!, line[i + 1]!);
      if (!(yield* this.#isShortcut(a, line[i + 1]!, costNow))) kept.push(line[i]!);
    }
    kept.push(line[line.length - 1]!);
    return kept;
  }
}

const isLong = (a: Point, b: Point): boolean => greatCircle(a, b).length > 1;

function towards(from: Point, to: Point, part: number): Point {
  return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) };
}

function nearestOn(a: Point, c: Point, v: Point): Point {
  const dx = c.x - a.x;
  const dy = c.y - a.y;
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : ((v.x - a.x) * dx + (v.y - a.y) * dy) / squared;
  const kept = Math.max(0, Math.min(1, t));
  return { x: a.x + kept * dx, y: a.y + kept * dy };
}
