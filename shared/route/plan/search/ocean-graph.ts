// Capes, straits and other turning points of the world's shipping routes, with the pairs that see
// each other over the background. The shortest way over this graph guides a long trip. It is only a
// guide: each of its legs is checked against the sea, and searched if it is not clear.

import nodes from '../../ocean-nodes.json' with { type: 'json' };
import { PASSAGES, type Passage } from '../../passages.ts';
import {
  greatCircle,
  greatCircleMeters,
  type Point,
  pathOf,
  unwrapNear,
} from '../geometry/plane.ts';

export interface OceanEdge {
  /** Its place in the list of all edges. */
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly meters: number;
  readonly passage: Passage | undefined;
  /** The northernmost and southernmost y of its great circle. */
  readonly top: number;
  readonly bottom: number;
}

/** Nodes are the middles of blocks of this level: 4.9 km at the equator. */
export const NODE_LEVEL = 9;
/** Pieces of a passage are so short that they are checked in full detail. */
const PIECE_METERS = 40_000;
/** An edge shorter than this is a straight line. */
const STRAIGHT_METERS = 300_000;

export interface OceanGraph {
  readonly points: readonly Point[];
  readonly edges: readonly OceanEdge[];
  /** The edges at each node. */
  readonly around: readonly (readonly OceanEdge[])[];
}

/** Cache: the graph, made by the first long trip and not at the start of an isolate. */
let graph: OceanGraph | undefined;

export function oceanGraph(): OceanGraph {
  graph ??= readGraph(nodes);
  return graph;
}

/**
 * @param texts a node each: column and row of its block, and the numbers of linked nodes before it.
 *   The first nodes are the two ends of each passage
 */
function readGraph(texts: readonly string[]): OceanGraph {
  const rows = texts.map((text) => text.split(' ').map(Number));
  const points = rows.map(([x, y]): Point => nodePoint(x!, y!));
  const around: OceanEdge[][] = rows.map(() => []);
  const edges: OceanEdge[] = [];
  const connect = (from: number, to: number, passage?: Passage) => {
    const edge = edgeBetween(points, edges.length, from, to, passage);
    edges.push(edge);
    around[from]!.push(edge);
    around[to]!.push(edge);
  };
  for (const [i, passage] of PASSAGES.entries()) {
    const pieces = piecesOf(passage);
    points[2 * i] = pieces[0]!;
    points[2 * i + 1] = pieces.at(-1)!;
    let before = 2 * i;
    for (const point of pieces.slice(1, -1)) {
      around.push([]);
      const next = points.push(point) - 1;
      connect(before, next, passage);
      before = next;
    }
    connect(before, 2 * i + 1, passage);
  }
  for (const [i, [, , ...links]] of rows.entries()) for (const link of links) connect(i, link);
  return { points, edges, around };
}

/** The middle of a block of `NODE_LEVEL`. */
export const nodePoint = (x: number, y: number): Point => ({
  x: (x + 0.5) * 2 ** NODE_LEVEL,
  y: (y + 0.5) * 2 ** NODE_LEVEL,
});

/** The edge along the great circle between two of the points. */
export function edgeBetween(
  points: readonly Point[],
  id: number,
  from: number,
  to: number,
  passage?: Passage,
): OceanEdge {
  const [a, b] = [points[from]!, points[to]!];
  const meters = greatCircleMeters(a, b);
  const near = { x: unwrapNear(b.x, a.x), y: b.y };
  const line = [a, ...(meters < STRAIGHT_METERS ? [near] : greatCircle(a, near))];
  const ys = line.map(({ y }) => y);
  return { id, from, to, meters, passage, top: Math.min(...ys), bottom: Math.max(...ys) };
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
