// Pairs of turning points that see each other, if a path along their great circle can turn at both.

import {
  greatCircleMeters,
  type Point,
  unitVector,
} from '../../shared/route/plan/geometry/plane.ts';
import { nodePoint } from '../../shared/route/plan/search/ocean-graph.ts';
import { ACROSS, type OpenBlocks } from './open-blocks.ts';
import type { TurningPoint } from './turning-points.ts';

export interface Pair {
  readonly from: number;
  readonly to: number;
  readonly meters: number;
}

/** Over so few blocks a great circle is straight. */
const FIRST_BLOCKS = 8;
/** A path that leaves the land on one side by less than this is taken to touch it (a sine). */
const TOUCHING = 0.02;

export function visiblePairs(blocks: OpenBlocks, nodes: readonly TurningPoint[]): Pair[] {
  const points = nodes.map(({ x, y }) => nodePoint(x, y));
  const vectors = points.map(unitVector);
  const pairs: Pair[] = [];
  for (let from = 0; from < nodes.length; from++) {
    for (let to = from + 1; to < nodes.length; to++) {
      const [a, b] = [nodes[from]!, nodes[to]!];
      const forth = courseOf(vectors[from]!, vectors[to]!);
      if (!canTurn(a, forth)) continue;
      const back = courseOf(vectors[to]!, vectors[from]!);
      if (!canTurn(b, back)) continue;
      if (!isNear(a, b) && !(isOpen(blocks, a, forth) && isOpen(blocks, b, back))) continue;
      const [start, end] = [points[from]!, points[to]!] as [Point, Point];
      if (!blocks.see(start, end)) continue;
      pairs.push({ from, to, meters: greatCircleMeters(start, end) });
    }
  }
  return pairs;
}

type Vector = ReturnType<typeof unitVector>;

/** Direction on the plane in which the great circle leaves a point: [east, south], of length 1. */
function courseOf([ax, ay, az]: Vector, [bx, by, bz]: Vector): readonly [number, number] {
  const cosine = Math.hypot(ax, ay);
  const east = (ax * by - ay * bx) / cosine;
  const north = bz * cosine - (az * (ax * bx + ay * by)) / cosine;
  const length = Math.hypot(east, north);
  return [east / length, -north / length];
}

/** Corners of a block at which land lies in the north-west or south-east, and at the other two. */
const [NW_SE, NE_SW] = [0b1001, 0b0110];

/** Whether a path in this direction can turn around the land on one of the sides of a point. */
function canTurn({ sides }: TurningPoint, [east, south]: readonly [number, number]): boolean {
  const both = east * south;
  return (
    ((sides & NW_SE) !== 0 && both <= TOUCHING) || ((sides & NE_SW) !== 0 && -both <= TOUCHING)
  );
}

/** Whether the first blocks in a direction are open. Most great circles end there. */
function isOpen(
  blocks: OpenBlocks,
  { x, y }: TurningPoint,
  [east, south]: readonly [number, number],
): boolean {
  const [cx, cy] = [x + 0.5, y + 0.5];
  return blocks.isClear(cx, cy, cx + east * FIRST_BLOCKS, cy + south * FIRST_BLOCKS);
}

function isNear(a: TurningPoint, b: TurningPoint): boolean {
  const dx = a.x - b.x - ACROSS * Math.round((a.x - b.x) / ACROSS);
  return Math.hypot(dx, a.y - b.y) <= 2 * FIRST_BLOCKS;
}
