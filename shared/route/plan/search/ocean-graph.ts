// Capes, straits and other turning points of the world's shipping routes, with the pairs that see
// each other over the background. The shortest way over this graph guides a long trip. It is only a
// guide: each of its legs is checked against the sea, and searched if it is not clear.

import nodes from '../../ocean-nodes.json' with { type: 'json' };
import { PASSAGES, type Passage } from '../../passages.ts';
import { greatCircleMeters, type Point, pathOf, pointOf } from '../geometry/plane.ts';
import { Heap } from './heap.ts';

export interface OceanEdge {
  readonly from: number;
  readonly to: number;
  /** Lower bound of its length, or its true length once it is known. */
  readonly meters: number;
  /** The safe line that was found, from one end to the other. */
  readonly line?: readonly Point[];
  readonly passage: Passage | undefined;
}

/** Position, and names of linked nodes. The ends of a passage have its name and 0 or 1. */
const NODES = Object.entries(nodes as Record<string, string>);
/** Pieces of a passage are so short that they are checked in full detail. */
const PIECE_METERS = 40_000;

export interface OceanGraph {
  readonly points: readonly Point[];
  /** Each once. */
  readonly edges: readonly OceanEdge[];
}

/** Cache: the graph, made by the first long trip and not at the start of an isolate. */
let graph: OceanGraph | undefined;

export function oceanGraph(): OceanGraph {
  graph ??= readGraph();
  return graph;
}

function readGraph(): OceanGraph {
  const points: Point[] = [];
  const edges: OceanEdge[] = [];
  const numbers = new Map<string, number>();
  const connect = (from: number, to: number, passage?: Passage) => {
    edges.push({ from, to, meters: greatCircleMeters(points[from]!, points[to]!), passage });
  };
  for (const passage of PASSAGES) {
    const pieces = piecesOf(passage);
    numbers.set(`${passage.name} 0`, points.length);
    for (const [i, point] of pieces.entries()) {
      points.push(point);
      if (i > 0) connect(points.length - 2, points.length - 1, passage);
    }
    numbers.set(`${passage.name} 1`, points.length - 1);
  }
  for (const [name, text] of NODES) {
    const [longitude, latitude] = text.split(' ');
    numbers.set(name, points.push(pointOf([Number(longitude), Number(latitude)])) - 1);
  }
  for (const [name, text] of NODES) {
    const links = text.split(' ').slice(2).join(' ').split(',').filter(Boolean);
    for (const link of links) connect(numbers.get(name)!, numbers.get(link)!);
  }
  return { points, edges };
}

/** The line of a passage, divided into pieces. */
function piecesOf(passage: Passage): Point[] {
  const line = pathOf(passage.line);
  const points = [line[0]!];
  for (const [i, to] of line.slice(1).entries()) {
    const from = line[i]!;
    const pieces = Math.ceil(greatCircleMeters(from, to) / PIECE_METERS);
    for (let k = 1; k <= pieces; k++) {
      const part = k / pieces;
      points.push({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
    }
  }
  return points;
}

/** The edges of the shortest way between two nodes; `undefined` if there is no way. */
export function shortestWay(
  all: readonly OceanEdge[],
  count: number,
  start: number,
  goal: number,
): readonly { readonly edge: OceanEdge; readonly isReversed: boolean }[] | undefined {
  const around: OceanEdge[][] = Array.from({ length: count }, () => []);
  for (const edge of all) {
    around[edge.from]!.push(edge);
    around[edge.to]!.push(edge);
  }
  const costs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const before: (OceanEdge | undefined)[] = new Array(count).fill(undefined);
  const heap = new Heap();
  costs[start] = 0;
  heap.push(0, start);
  while (heap.size > 0) {
    const [key, node] = [heap.topKey(), heap.top()];
    heap.pop();
    if (node === goal) break;
    if (key > costs[node]!) continue;
    for (const edge of around[node]!) {
      const next = edge.from === node ? edge.to : edge.from;
      const cost = key + edge.meters;
      if (cost >= costs[next]!) continue;
      costs[next] = cost;
      before[next] = edge;
      heap.push(cost, next);
    }
  }
  if (costs[goal] === Number.POSITIVE_INFINITY) return undefined;
  const way: { edge: OceanEdge; isReversed: boolean }[] = [];
  for (let node = goal; node !== start; ) {
    const edge = before[node]!;
    const isReversed = edge.to !== node;
    way.push({ edge, isReversed });
    node = isReversed ? edge.to : edge.from;
  }
  return way.reverse();
}
