// The path of a long trip by way of capes, straits and canals: the shortest way over the graph of the
// oceans. Only the edges of that way are checked against the sea. An edge that is closed or longer
// than it seemed is corrected, and the way is computed again.

import { openPassages } from '../../passage-limits.ts';
import type { Trip } from '../../trip.ts';
import { BLOCKED } from '../geometry/blocks.ts';
import {
  greatCircleMeters,
  metersPerCell,
  type Point,
  unwrapNear,
  WORLD_LEVEL,
} from '../geometry/plane.ts';
import type { Water } from '../read/water.ts';
import { Heap } from './heap.ts';
import { type OceanEdge, oceanGraph, shortestWay } from './ocean-graph.ts';

/** Nodes nearest to an end that may be visible from it. */
const NODES_SEEN = 64;
/** If no node is visible, the nodes that are reached first over coarse blocks. */
const NODES_REACHED = 5;
/** Level of these blocks: 9.8 km at the equator. */
const BLOCK_LEVEL = 10;
const MOST_BLOCKS = 20_000;
const MOST_CORRECTIONS = 48;

/** Checks an edge: its line, or `undefined` if it is closed. A generator if it reads squares. */
export type FindLine<S> = (from: Point, to: Point) => Generator<S, readonly Point[] | undefined>;

/** The edges of a trip: those of the oceans that it may use, and those of its two ends. */
export class OceanPath {
  readonly points: readonly Point[];
  readonly #edges: OceanEdge[];

  /** @param isClear whether the great circle between two points is safe. @throws MissingSquare */
  constructor(trip: Trip, water: Water, ends: readonly [Point, Point], isClear: IsClear) {
    const { points, edges } = oceanGraph();
    const start = points.length;
    const open = new Set(openPassages(trip));
    this.points = [...points, ...ends];
    this.#edges = [
      ...edges.filter(({ passage }) => passage === undefined || open.has(passage)),
      ...ends.flatMap((end, i) => edgesAt(water, end, start + i, isClear)),
    ];
  }

  /** The points of the path; `undefined` if there is no way. */
  *find<S>(findLine: FindLine<S>): Generator<S, readonly Point[] | undefined> {
    const count = this.points.length;
    for (let i = 0; i < MOST_CORRECTIONS; i++) {
      const way = shortestWay(this.#edges, count, count - 2, count - 1);
      if (way === undefined) return undefined;
      const unknown = way.filter(({ edge }) => edge.line === undefined);
      if (unknown.length === 0) return joined(way);
      for (const { edge } of unknown) if (!(yield* this.#examine(edge, findLine))) break;
    }
    return undefined;
  }

  /** Replaces an edge by what the sea shows. @returns whether it is as long as it seemed */
  *#examine<S>(edge: OceanEdge, findLine: FindLine<S>): Generator<S, boolean> {
    const at = this.#edges.indexOf(edge);
    const line = yield* findLine(this.points[edge.from]!, this.points[edge.to]!);
    if (line === undefined) {
      this.#edges.splice(at, 1);
      return false;
    }
    const known = { ...edge, line, meters: lengthOf(line) };
    this.#edges[at] = known;
    return known.meters <= edge.meters * 1.001;
  }
}

type IsClear = (from: Point, to: Point) => boolean;

export function lengthOf(line: readonly Point[]): number {
  return line.slice(1).reduce((sum, to, i) => sum + greatCircleMeters(line[i]!, to), 0);
}

/** The lines of all edges as one, with x unwrapped. */
function joined(way: NonNullable<ReturnType<typeof shortestWay>>): Point[] {
  const points: Point[] = [];
  for (const { edge, isReversed } of way) {
    const line = isReversed ? [...edge.line!].reverse() : edge.line!;
    for (const { x, y } of points.length === 0 ? line : line.slice(1)) {
      points.push({ x: unwrapNear(x, points.at(-1)?.x ?? x), y });
    }
  }
  return points;
}

/** Edges to the nodes that an end sees, or else to those that are reached first. */
function edgesAt(water: Water, end: Point, from: number, isClear: IsClear): OceanEdge[] {
  const { points } = oceanGraph();
  const near = points
    .map((point, to) => ({ from, to, meters: greatCircleMeters(end, point), passage: undefined }))
    .sort((a, b) => a.meters - b.meters)
    .slice(0, NODES_SEEN);
  const seen = near.filter(({ to }) => isClear(end, points[to]!));
  return seen.length > 0 ? seen : reachedFrom(water, end, from);
}

/** The first nodes in a flood over all blocks that contain some water, from an end. */
function reachedFrom(water: Water, end: Point, from: number): OceanEdge[] {
  const { points } = oceanGraph();
  const nodes = new Map<number, number[]>();
  for (const [to, point] of points.entries()) {
    const key = keyOf(columnOf(point), rowOf(point));
    nodes.set(key, [...(nodes.get(key) ?? []), to]);
  }
  const reached: OceanEdge[] = [];
  for (const key of blocksAround(water, end)) {
    for (const to of nodes.get(key) ?? []) {
      const meters = greatCircleMeters(end, points[to]!);
      reached.push({ from, to, meters, passage: undefined });
    }
    if (reached.length >= NODES_REACHED) break;
  }
  return reached;
}

const BLOCKS_ACROSS = 2 ** (WORLD_LEVEL - BLOCK_LEVEL);
const columnOf = ({ x }: Point) => (x >> BLOCK_LEVEL) & (BLOCKS_ACROSS - 1);
const rowOf = ({ y }: Point) => y >> BLOCK_LEVEL;
const keyOf = (column: number, row: number) => row * BLOCKS_ACROSS + column;

/** Keys of blocks that are connected by blocks with some water, the nearest first. */
function* blocksAround(water: Water, end: Point): Generator<number, void, undefined> {
  const costs = new Map([[keyOf(columnOf(end), rowOf(end)), 0]]);
  const closed = new Set<number>();
  const heap = new Heap();
  for (const key of costs.keys()) heap.push(0, key);
  while (heap.size > 0 && closed.size < MOST_BLOCKS) {
    const key = heap.top();
    heap.pop();
    if (closed.has(key)) continue;
    closed.add(key);
    yield key;
    const [x, y] = [key % BLOCKS_ACROSS, Math.floor(key / BLOCKS_ACROSS)];
    const meters = metersPerCell((y + 0.5) * 2 ** BLOCK_LEVEL) * 2 ** BLOCK_LEVEL;
    for (let k = 0; k < 9; k++) {
      const [column, row] = [(x + (k % 3) - 1) & (BLOCKS_ACROSS - 1), y + Math.floor(k / 3) - 1];
      if (row < 0 || row >= BLOCKS_ACROSS) continue;
      const cost = costs.get(key)! + (k % 2 === 0 ? Math.SQRT2 : 1) * meters;
      const next = keyOf(column, row);
      if (cost >= (costs.get(next) ?? Number.POSITIVE_INFINITY)) continue;
      if (water.classOf(BLOCK_LEVEL, column, row) === BLOCKED) continue;
      costs.set(next, cost);
      heap.push(cost, next);
    }
  }
}
