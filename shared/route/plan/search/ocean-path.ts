// The path of a long trip by way of capes, straits and canals: the shortest way over the graph of the
// oceans. Only the edges of that way are checked against the sea. An edge that is closed or longer
// than it seemed is corrected, and the way is computed again.

import { openPassages } from '../../passage-limits.ts';
import type { Trip } from '../../trip.ts';
import { courseDegrees, greatCircleMeters, type Point, unwrapNear } from '../geometry/plane.ts';
import { WorkMeter } from '../read/pause.ts';
import type { Water } from '../read/water.ts';
import { Flood } from './flood.ts';
import { Heap } from './heap.ts';
import { edgeBetween, type OceanEdge, oceanGraph } from './ocean-graph.ts';

/** Nodes that may be visible from an end: the nearest, and the nearest in each of 32 directions. */
const NODES_NEAR = 24;
const NODES_EACH_WAY = 2;
const WAYS = 32;
/** Ways computed between two pauses: some milliseconds. */
const WAYS_AT_ONCE = 8;
/** Lines that a search finds are longer than ways over the blocks of a flood, by up to this factor. */
const FLOOD_DETOUR = 1.06;
const MOST_CORRECTIONS = 48;

/** Runs a function that reads squares. */
export type RunPiece<S> = <T>(piece: () => T) => Generator<S, T>;
/** Checks an edge: its line, or `undefined` if it is closed. A straight edge has no other line. */
export type FindLine<S> = (
  from: Point,
  to: Point,
  isStraight: boolean,
) => Generator<S, readonly Point[] | undefined>;

interface Step {
  readonly edge: OceanEdge;
  readonly isReversed: boolean;
}

/** The edges of a trip: those of the oceans that it may use, and those of its two ends. */
export class OceanPath {
  readonly #points: readonly Point[];
  readonly #around: (readonly OceanEdge[])[];
  readonly #water: Water;
  /** Length of each edge by its id; infinite if it is closed, or the trip may not use it. */
  readonly #meters: number[];
  /** What the sea shows of an edge: the line from its first node, or that it is closed. */
  readonly #examined = new Map<OceanEdge, readonly Point[] | undefined>();
  /** Edges from an end to a node that it may see. They are closed if it does not. */
  readonly #views = new Set<OceanEdge>();
  /** The ends, unless they have been linked with nodes that are reached first. */
  readonly #blind = new Set<number>();
  readonly #meter = new WorkMeter(WAYS_AT_ONCE);
  /** Metres from each node to the second end, as far as they are known; −1 otherwise. */
  readonly #ahead: Float64Array;

  constructor(trip: Trip, water: Water, ends: readonly [Point, Point]) {
    const { points, edges, around } = oceanGraph();
    const open = new Set(openPassages(trip));
    const { north, south } = water.heights;
    this.#meters = edges.map(({ passage, top, bottom, meters }) => {
      const isOpen = passage === undefined || open.has(passage);
      return isOpen && top >= north && bottom <= south ? meters : Number.POSITIVE_INFINITY;
    });
    this.#points = [...points, ...ends];
    this.#around = [...around, [], []];
    this.#ahead = new Float64Array(this.#points.length).fill(-1);
    this.#water = water;
    for (const [i, end] of ends.entries()) {
      const node = points.length + i;
      this.#blind.add(node);
      for (const edge of this.#link(node, nodesNear(end))) this.#views.add(edge);
    }
  }

  /**
   * The points of the path; `undefined` if there is no way, or none that is shorter than `most`
   * metres.
   */
  *find<S>(
    findLine: FindLine<S>,
    run: RunPiece<S>,
    most: number,
  ): Generator<S, readonly Point[] | undefined> {
    for (let corrections = 0; corrections < MOST_CORRECTIONS; ) {
      const way = yield* run(() => {
        this.#meter.check();
        this.#meter.add(1);
        return this.#shortestWay();
      });
      if (way === undefined) {
        if (yield* this.#reach(run)) continue;
        return undefined;
      }
      const edges = way.map(({ edge }) => edge);
      if (edges.reduce((sum, { id }) => sum + this.#meters[id]!, 0) >= most) return undefined;
      const unknown = edges.filter((edge) => !this.#examined.has(edge));
      if (unknown.length === 0) return this.#joined(way);
      const isView = (edge: OceanEdge) => this.#views.has(edge);
      for (const edge of [...unknown.filter(isView), ...unknown.filter((one) => !isView(one))]) {
        if (yield* this.#examine(edge, findLine)) continue;
        if (!isView(edge)) corrections++;
        break;
      }
    }
    return undefined;
  }

  /** Links ends that see no node with those that are reached first. @returns whether it did */
  *#reach<S>(run: RunPiece<S>): Generator<S, boolean> {
    const isOpen = (edge: OceanEdge) => this.#examined.get(edge) !== undefined;
    const blind = [...this.#blind].filter((end) => !this.#around[end]!.some(isOpen));
    for (const end of blind) {
      const flood = new Flood(this.#water, this.#points[end]!);
      const reached = yield* run(() => flood.nodes());
      const edges = this.#link(end, [...reached.keys()]);
      for (const { id, to, meters } of edges) {
        this.#meters[id] = Math.max(meters, FLOOD_DETOUR * reached.get(to)!);
      }
      this.#blind.delete(end);
    }
    return blind.length > 0;
  }

  /** Links an end with nodes. @returns the edges, which lead from the end */
  #link(end: number, nodes: readonly number[]): readonly OceanEdge[] {
    const all = this.#around;
    const edges = nodes.map((to) => {
      const edge = edgeBetween(this.#points, this.#meters.length, end, to);
      this.#meters.push(edge.meters);
      return edge;
    });
    all[end] = [...all[end]!, ...edges];
    for (const edge of edges) all[edge.to] = [...all[edge.to]!, edge];
    return edges;
  }

  /** Notes what the sea shows of an edge. @returns whether it is as long as it seemed */
  *#examine<S>(edge: OceanEdge, findLine: FindLine<S>): Generator<S, boolean> {
    const [from, to] = [this.#points[edge.from]!, this.#points[edge.to]!];
    const line = yield* findLine(from, to, this.#views.has(edge));
    const meters = line === undefined ? Number.POSITIVE_INFINITY : lengthOf(line);
    const isAsLong = meters <= this.#meters[edge.id]! * 1.001;
    this.#examined.set(edge, line);
    this.#meters[edge.id] = meters;
    return isAsLong;
  }

  /** The steps of the shortest way between the ends (A*); `undefined` if there is no way. */
  #shortestWay(): readonly Step[] | undefined {
    const count = this.#points.length;
    const [start, goal] = [count - 2, count - 1];
    const end = this.#points[goal]!;
    const costs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    const ahead = this.#ahead;
    const before: (OceanEdge | undefined)[] = new Array(count).fill(undefined);
    const heap = new Heap();
    costs[start] = 0;
    heap.push(0, start);
    while (heap.size > 0) {
      const [key, node] = [heap.topKey(), heap.top()];
      heap.pop();
      if (node === goal) return this.#stepsTo(before);
      if (node !== start && key > costs[node]! + ahead[node]! + 1e-3) continue;
      for (const edge of this.#around[node]!) {
        const next = edge.from === node ? edge.to : edge.from;
        const cost = costs[node]! + this.#meters[edge.id]!;
        if (cost >= costs[next]!) continue;
        costs[next] = cost;
        before[next] = edge;
        if (ahead[next]! < 0) ahead[next] = greatCircleMeters(this.#points[next]!, end);
        heap.push(cost + ahead[next]!, next);
      }
    }
    return undefined;
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
      const line = this.#examined.get(edge);
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
