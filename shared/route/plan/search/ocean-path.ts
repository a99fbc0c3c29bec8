// The path of a long trip by way of capes, straits and canals: the shortest way over the graph of the
// oceans. Only the edges of that way are checked against the sea. An edge that is closed or longer
// than it seemed is corrected, and the way is computed again.

import { openPassages } from '../../passage-limits.ts';
import type { Passage } from '../../passages.ts';
import type { Trip } from '../../trip.ts';
import { BLOCKED } from '../geometry/blocks.ts';
import {
  courseDegrees,
  greatCircleMeters,
  metersPerCell,
  type Point,
  unwrapNear,
  WORLD_LEVEL,
} from '../geometry/plane.ts';
import type { Water } from '../read/water.ts';
import { Heap } from './heap.ts';
import { edgeBetween, type OceanEdge, oceanGraph } from './ocean-graph.ts';

/** Nodes that may be visible from an end: the nearest, and the nearest in each of 32 directions. */
const NODES_NEAR = 24;
const NODES_EACH_WAY = 2;
const WAYS = 32;
/** If no node is visible, the nodes that are reached first over coarse blocks. */
const NODES_REACHED = 5;
/** Level of these blocks: 9.8 km at the equator. */
const BLOCK_LEVEL = 10;
const MOST_BLOCKS = 20_000;
const MOST_CORRECTIONS = 48;

/** Whether the great circle between two points is safe. */
export type IsClear<S> = (from: Point, to: Point) => Generator<S, boolean>;
/** Runs a function that reads squares. */
export type RunPiece<S> = <T>(piece: () => T) => Generator<S, T>;
/** Checks an edge: its line, or `undefined` if it is closed. */
export type FindLine<S> = (from: Point, to: Point) => Generator<S, readonly Point[] | undefined>;

/** What the sea shows of an edge. The line leads from its first node; none: the edge is closed. */
interface Examined {
  readonly meters: number;
  readonly line: readonly Point[] | undefined;
}

interface Step {
  readonly edge: OceanEdge;
  readonly isReversed: boolean;
}

/** The edges of a trip: those of the oceans that it may use, and those of its two ends. */
export class OceanPath {
  readonly #points: readonly Point[];
  readonly #around: (readonly OceanEdge[])[];
  readonly #water: Water;
  readonly #examined = new Map<OceanEdge, Examined>();
  readonly #open: ReadonlySet<Passage>;
  readonly #heights: Water['heights'];

  /** Call `connect` before `find`. */
  constructor(trip: Trip, water: Water, ends: readonly [Point, Point]) {
    const { points, around } = oceanGraph();
    this.#open = new Set(openPassages(trip));
    this.#heights = water.heights;
    this.#points = [...points, ...ends];
    this.#around = [...around, [], []];
    this.#water = water;
  }

  /** Links the ends with the nodes that they see, or that are reached first. */
  *connect<S>(isClear: IsClear<S>, run: RunPiece<S>): Generator<S, void> {
    const all = this.#around;
    for (const from of [all.length - 2, all.length - 1]) {
      const end = this.#points[from]!;
      let nodes: number[] = [];
      for (const node of nodesNear(end)) {
        if (yield* isClear(end, this.#points[node]!)) nodes.push(node);
      }
      if (nodes.length === 0) nodes = yield* run(() => reachedFrom(this.#water, end));
      const edges = nodes.map((to) => edgeBetween(this.#points, from, to));
      all[from] = edges;
      for (const edge of edges) all[edge.to] = [...all[edge.to]!, edge];
    }
  }

  /** The points of the path; `undefined` if there is no way. */
  *find<S>(findLine: FindLine<S>): Generator<S, readonly Point[] | undefined> {
    for (let i = 0; i < MOST_CORRECTIONS; i++) {
      const way = this.#shortestWay();
      if (way === undefined) return undefined;
      const unknown = way.filter(({ edge }) => !this.#examined.has(edge));
      if (unknown.length === 0) return this.#joined(way);
      for (const { edge } of unknown) if (!(yield* this.#examine(edge, findLine))) break;
    }
    return undefined;
  }

  /** Notes what the sea shows of an edge. @returns whether it is as long as it seemed */
  *#examine<S>(edge: OceanEdge, findLine: FindLine<S>): Generator<S, boolean> {
    const line = yield* findLine(this.#points[edge.from]!, this.#points[edge.to]!);
    const meters = line === undefined ? Number.POSITIVE_INFINITY : lengthOf(line);
    this.#examined.set(edge, { meters, line });
    return meters <= edge.meters * 1.001;
  }

  /** The steps of the shortest way between the ends (A*); `undefined` if there is no way. */
  #shortestWay(): readonly Step[] | undefined {
    const count = this.#points.length;
    const [start, goal] = [count - 2, count - 1];
    const end = this.#points[goal]!;
    const costs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    const ahead = new Float64Array(count).fill(-1);
    const before: (OceanEdge | undefined)[] = new Array(count).fill(undefined);
    const heap = new Heap();
    costs[start] = 0;
    heap.push(0, start);
    while (heap.size > 0) {
      const [key, node] = [heap.topKey(), heap.top()];
      heap.pop();
      if (node === goal) return this.#stepsTo(before);
      if (ahead[node]! >= 0 && key > costs[node]! + ahead[node]! + 1e-3) continue;
      for (const edge of this.#around[node]!) {
        const next = edge.from === node ? edge.to : edge.from;
        const cost = costs[node]! + this.#metersOf(edge);
        if (cost >= costs[next]!) continue;
        costs[next] = cost;
        before[next] = edge;
        if (ahead[next]! < 0) ahead[next] = greatCircleMeters(this.#points[next]!, end);
        heap.push(cost + ahead[next]!, next);
      }
    }
    return undefined;
  }

  /** Length of an edge, infinite if the trip may not use it. */
  #metersOf(edge: OceanEdge): number {
    const { passage, top, bottom, meters } = edge;
    if (passage !== undefined && !this.#open.has(passage)) return Number.POSITIVE_INFINITY;
    const { north, south } = this.#heights;
    if (top < north || bottom > south) return Number.POSITIVE_INFINITY;
    return this.#examined.get(edge)?.meters ?? meters;
  }

  #stepsTo(before: readonly (OceanEdge | undefined)[]): readonly Step[] {
    const steps: Step[] = [];
    for (let node = this.#points.length - 1; node !== this.#points.length - 2; ) {
      const edge = before[node]!;
      const isReversed = edge.to !== node;
      steps.push({ edge, isReversed });
      node = isReversed ? edge.to : edge.from;
    }
    return steps.reverse();
  }

  /** The lines of all edges as one, with x unwrapped. */
  #joined(way: readonly Step[]): Point[] {
    const points: Point[] = [];
    for (const { edge, isReversed } of way) {
      const { line } = this.#examined.get(edge)!;
      const turned = isReversed ? [...line!].reverse() : line!;
      for (const { x, y } of points.length === 0 ? turned : turned.slice(1)) {
        points.push({ x: unwrapNear(x, points.at(-1)?.x ?? x), y });
      }
    }
    return points;
  }
}

export function lengthOf(line: readonly Point[]): number {
  return line.slice(1).reduce((sum, to, i) => sum + greatCircleMeters(line[i]!, to), 0);
}

/** The nodes that an end may see. */
function nodesNear(end: Point): number[] {
  const { points } = oceanGraph();
  const counts = new Array<number>(WAYS).fill(0);
  return points
    .map((point, node) => ({ node, meters: greatCircleMeters(end, point) }))
    .sort((a, b) => a.meters - b.meters)
    .filter(({ node }, i) => {
      const { x, y } = points[node]!;
      const degrees = courseDegrees(end, { x: unwrapNear(x, end.x), y });
      const way = Math.floor((degrees * WAYS) / 360) % WAYS;
      counts[way]!++;
      return i < NODES_NEAR || counts[way]! <= NODES_EACH_WAY;
    })
    .map(({ node }) => node);
}

/** The first nodes in a flood over all blocks that contain some water, from an end. */
function reachedFrom(water: Water, end: Point): number[] {
  const nodes = new Map<number, number[]>();
  for (const [node, point] of oceanGraph().points.entries()) {
    const key = keyOf(columnOf(point), rowOf(point));
    nodes.set(key, [...(nodes.get(key) ?? []), node]);
  }
  const reached: number[] = [];
  for (const key of blocksAround(water, end)) {
    for (const node of nodes.get(key) ?? []) reached.push(node);
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
