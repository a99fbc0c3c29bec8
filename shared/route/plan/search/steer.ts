// Searches a path between two poses (position and heading) in narrow water: A* over short straight runs
// and arcs of the turning radius (hybrid A*, after Dolgov et al. 2008). It ends when an arc, a line and
// an arc to the end are clear.

import { type ArcShape, ahead, arcsBetween, type Pose, sailArc } from '../geometry/arcs.ts';
import type { Point } from '../geometry/plane.ts';
import { Heap } from './heap.ts';
import type { RunPiece } from './ocean-path.ts';

/** Maximum number of poses in one search. */
const MOST_POSES = 6000;
/** One in this many poses is tested for a direct connection to the end. */
const SHOT_EVERY = 4;
/** Cost of a turn in proportion to a straight run, so that the path does not weave. */
const TURN_COST = 1.05;

/** Whether the vessel may go straight from one point to another. */
export type IsClear = (a: Point, b: Point) => boolean;

/** Number of poses that may still be examined. */
export interface PoseBudget {
  poses: number;
}

interface SteerOptions<S> {
  readonly isClear: IsClear;
  readonly run: RunPiece<S>;
  readonly budget: PoseBudget;
}

interface Node {
  readonly pose: Pose;
  readonly corner: Point | undefined;
  readonly cost: number;
  readonly parent: number;
}

/** @returns the corners between the poses and the end, or `undefined` if no path is found */
export function* steer<S>(
  from: Pose,
  to: Pose,
  shape: ArcShape,
  { isClear, run, budget }: SteerOptions<S>,
): Generator<S, Point[] | undefined> {
  const { radius } = shape;
  const headings = Math.ceil((2 * Math.PI) / shape.step);
  const turn = (2 * Math.PI) / headings;
  const side = 2 * radius * Math.tan(turn / 2);
  const grain = Math.max(side / 2, radius / 8);
  const nodes: Node[] = [{ pose: from, corner: undefined, cost: 0, parent: -1 }];
  const heap = new Heap();
  const taken = new Set<string>();
  const movesFrom = (pose: Pose): Move[] =>
    [0, 1, -1].flatMap((turning) => {
      const corners: Point[] = [];
      const next =
        turning === 0
          ? ahead(pose, Math.max(side, radius / 2))
          : sailArc(pose, turning, turn, shape, corners);
      if (taken.has(keyOf(next, grain, turn))) return [];
      if (!isClearAlong([pose, ...corners, next], isClear)) return [];
      const length = turning === 0 ? Math.max(side, radius / 2) : side * TURN_COST;
      return [{ next, corner: corners[0], length }];
    });
  heap.push(Math.hypot(to.x - from.x, to.y - from.y), 0);
  for (let count = 0; heap.size > 0 && count < MOST_POSES && budget.poses > 0; ) {
    const number = heap.top();
    heap.pop();
    const { pose, cost } = nodes[number]!;
    const key = keyOf(pose, grain, turn);
    if (taken.has(key)) continue;
    taken.add(key);
    budget.poses--;
    if (count++ % SHOT_EVERY === 0) {
      const shot = yield* run(() => shotFrom(nodes, number, to, shape, isClear));
      if (shot !== undefined) return shot;
    }
    for (const { next, corner, length } of yield* run(() => movesFrom(pose))) {
      nodes.push({ pose: next, corner, cost: cost + length, parent: number });
      const rest = Math.hypot(to.x - next.x, to.y - next.y);
      heap.push(cost + length + rest, nodes.length - 1);
    }
  }
  return undefined;
}

/** A straight run, or an arc with one corner. */
interface Move {
  readonly next: Pose;
  readonly corner: Point | undefined;
  readonly length: number;
}

function shotFrom(
  nodes: readonly Node[],
  number: number,
  to: Pose,
  shape: ArcShape,
  isClear: IsClear,
): Point[] | undefined {
  const { pose } = nodes[number]!;
  for (const corners of arcsBetween(pose, to, shape)) {
    if (!isClearAlong([pose, ...corners], isClear)) continue;
    const before: Point[] = [];
    for (let i = number; i >= 0; i = nodes[i]!.parent) {
      const { corner } = nodes[i]!;
      if (corner !== undefined) before.push(corner);
    }
    return [...before.reverse(), ...corners];
  }
  return undefined;
}

function isClearAlong(line: readonly Point[], isClear: IsClear): boolean {
  return line.every((point, i) => i === 0 || isClear(line[i - 1]!, point));
}

function keyOf({ x, y, heading }: Pose, grain: number, turn: number): string {
  const sector = Math.round(heading / turn);
  const sectors = Math.round((2 * Math.PI) / turn);
  return `${Math.round(x / grain)} ${Math.round(y / grain)} ${((sector % sectors) + sectors) % sectors}`;
}
