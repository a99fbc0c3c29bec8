// Joins rings of ground that was cut along lines: where the borders of two parts run against each
// other along a cut, both are removed, and the remaining borders are assembled into rings.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { pushTo } from '../../shared/geo/map-entries.ts';
import { doubleArea } from '../../shared/geo/ring.ts';

/** The cuts: lines of constant x (axis 0) and of constant y (axis 1). */
export type Cuts = readonly [x: Set<number>, y: Set<number>];

/**
 * A crossing of a cut and an edge that is farther than this from the straight line, in units, is a
 * corner.
 */
const STRAIGHT_UNITS = 1;

/** A piece of a border from one point on a cut to another. */
interface Run {
  readonly path: Flat;
  isUsed: boolean;
}

/**
 * Join rings of adjacent parts.
 * @param parts outer rings positive, holes negative, integers
 */
export function joinParts(parts: readonly Flat[], cuts: Cuts): Flat[] {
  const whole: Flat[] = [];
  const runs: Run[] = [];
  const along = [new Map<number, Flow>(), new Map<number, Flow>()] as const;
  for (const ring of parts) {
    if (!takeApart(ring, cuts, along, runs)) whole.push(ring);
  }
  for (const [axis, flows] of along.entries()) {
    for (const [limit, flow] of flows) {
      for (const [from, to] of leftOf(flow)) {
        runs.push({
          path: axis === 0 ? [limit, from, limit, to] : [from, limit, to, limit],
          isUsed: false,
        });
      }
    }
  }
  return [...whole, ...ringsOf(runs)];
}

/**
 * Borders along a cut: at each position, the number of upward edges that start minus those that
 * end.
 */
type Flow = Map<number, number>;

/**
 * Add a ring's edges on cuts to the flows, and its other edges to the runs. Returns false if no
 * edge is on a cut.
 */
function takeApart(
  ring: Flat,
  cuts: Cuts,
  along: readonly [Map<number, Flow>, Map<number, Flow>],
  runs: Run[],
): boolean {
  const n = ring.length;
  const axisOf = (i: number): 0 | 1 | undefined => {
    const j = (i + 2) % n;
    if (ring[i] === ring[j] && cuts[0].has(ring[i]!)) return 0;
    return ring[i + 1] === ring[j + 1] && cuts[1].has(ring[i + 1]!) ? 1 : undefined;
  };
  let first = 0;
  while (first < n && axisOf(first) === undefined) first += 2;
  if (first === n) return false;
  let path: Flat | undefined;
  for (let step = 0; step < n; step += 2) {
    const i = (first + step) % n;
    const j = (i + 2) % n;
    const axis = axisOf(i);
    if (axis === undefined) {
      path ??= [ring[i]!, ring[i + 1]!];
      path.push(ring[j]!, ring[j + 1]!);
      continue;
    }
    if (path !== undefined) runs.push({ path, isUsed: false });
    path = undefined;
    const limit = ring[i + axis]!;
    const flow: Flow = along[axis].get(limit) ?? new Map();
    along[axis].set(limit, flow);
    add(flow, ring[i + 1 - axis]!, 1);
    add(flow, ring[j + 1 - axis]!, -1);
  }
  if (path !== undefined) runs.push({ path, isUsed: false });
  return true;
}

function add(flow: Flow, at: number, by: number): void {
  flow.set(at, (flow.get(at) ?? 0) + by);
}

/** The remaining pieces of a flow, in their direction. */
function* leftOf(flow: Flow): Generator<readonly [from: number, to: number]> {
  const places = [...flow.keys()].sort((a, b) => a - b);
  let up = 0;
  for (const [i, at] of places.entries()) {
    up += flow.get(at)!;
    const next = places[i + 1];
    if (next === undefined) return;
    for (let k = 0; k < up; k++) yield [at, next];
    for (let k = 0; k > up; k--) yield [next, at];
  }
}

/** Assembles runs into rings; as many runs leave each point as arrive at it. */
function ringsOf(runs: readonly Run[]): Flat[] {
  const byStart = new Map<string, Run[]>();
  const keyOf = (x: number, y: number) => `${x} ${y}`;
  for (const run of runs) {
    const key = keyOf(run.path[0]!, run.path[1]!);
    pushTo(byStart, key, run);
  }
  const rings: Flat[] = [];
  for (const first of runs) {
    if (first.isUsed) continue;
    const ring: Flat = [];
    const joints: number[] = [];
    for (let run: Run | undefined = first; run !== undefined; ) {
      run.isUsed = true;
      const { path } = run;
      joints.push(ring.length);
      for (let i = 0; i < path.length - 2; i++) ring.push(path[i]!);
      const [x, y] = [path.at(-2)!, path.at(-1)!];
      if (x === first.path[0] && y === first.path[1]) break;
      const open: Run[] = (byStart.get(keyOf(x, y)) ?? []).filter(({ isUsed }) => !isUsed);
      run = innermost(path, open);
    }
    const kept = withoutJoints(ring, new Set(joints));
    if (kept.length >= 6 && doubleArea(kept) !== 0) rings.push(kept);
  }
  return rings;
}

/** Of the runs that start at the end of a path, the one that turns most towards the inside. */
function innermost(path: Flat, open: readonly Run[]): Run | undefined {
  if (open.length < 2) return open[0];
  const n = path.length;
  const back = Math.atan2(path[n - 3]! - path[n - 1]!, path[n - 4]! - path[n - 2]!);
  const turnOf = ({ path: [x, y, toX, toY] }: Run) => {
    const turn = Math.atan2(toY! - y!, toX! - x!) - back;
    return turn < 0 ? turn + 2 * Math.PI : turn;
  };
  // Outer rings run clockwise (y points down), so their inside is on the right of the path.
  return open.reduce((best, other) => (turnOf(other) > turnOf(best) ? other : best));
}

/**
 * Removes points at which a cut crossed a straight edge; repeats, as neighbours are not removed at
 * once.
 */
function withoutJoints(ring: Flat, joints: ReadonlySet<number>): Flat {
  let left = Array.from({ length: ring.length / 2 }, (_, i) => 2 * i);
  for (let before = -1; before !== left.length && left.length > 2; ) {
    before = left.length;
    let isGone = false;
    left = left.filter((i, at) => {
      const [a, b] = [left.at(at - 1)!, left[(at + 1) % left.length]!];
      isGone =
        !isGone &&
        joints.has(i) &&
        // The last point's neighbour is the first, which may have been removed.
        at < left.length - 1 &&
        isStraight(ring, a, i, b);
      return !isGone;
    });
  }
  return left.flatMap((i) => [ring[i]!, ring[i + 1]!]);
}

/** Whether a point lies on the line between two others. */
function isStraight(ring: Flat, a: number, at: number, b: number): boolean {
  const [dx, dy] = [ring[b]! - ring[a]!, ring[b + 1]! - ring[a + 1]!];
  const [px, py] = [ring[at]! - ring[a]!, ring[at + 1]! - ring[a + 1]!];
  const length = Math.hypot(dx, dy);
  if (length === 0) return false;
  const along = px * dx + py * dy;
  const off = Math.abs(px * dy - py * dx) / length;
  return off <= STRAIGHT_UNITS && along >= 0 && along <= length * length;
}
