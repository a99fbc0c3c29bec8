// Assembles points, chains and rings from nodes and edges (S-57 Edition 3.1 Part 3, clause 4.7). Edges are
// joined by node, not by coordinates. Rings that do not close are kept and reported.

import { type Box, boundsOf, isInside } from '../../geo/clip-box.ts';
import { pushTo } from '../../geo/map-entries.ts';
import { doubleArea, isRingWithin } from '../../geo/ring.ts';
import type {
  AreaOfEdges,
  Cell,
  Chain,
  EdgeUse,
  Feature,
  Node,
  RingOfEdges,
  SpatialUse,
} from './cell.ts';

/** The node of a point feature; `undefined` if the node is missing. */
export function nodeOf(cell: Cell, feature: Feature): Node | undefined {
  const use = feature.spatial[0];
  if (use === undefined) return undefined;
  if (use.target === 'isolated') return cell.isolatedNodes.get(use.id);
  if (use.target === 'connected') return cell.connectedNodes.get(use.id);
  return undefined;
}

/** Every node of a feature: soundings may use several multi-point nodes. */
export function nodesOf(cell: Cell, feature: Feature): Node[] {
  return feature.spatial.flatMap((use) => {
    const nodes =
      use.target === 'isolated'
        ? cell.isolatedNodes
        : use.target === 'connected'
          ? cell.connectedNodes
          : undefined;
    const found = nodes?.get(use.id);
    return found === undefined ? [] : [found];
  });
}

/** Position of a point feature in degrees; `undefined` for other features. */
export function pointOf(
  cell: Cell,
  feature: Feature,
): { longitude: number; latitude: number } | undefined {
  const node = nodeOf(cell, feature);
  const [longitude, latitude] = node?.positions ?? [];
  return longitude === undefined || latitude === undefined ? undefined : { longitude, latitude };
}

function edgeUse(cell: Cell, use: SpatialUse): EdgeUse | undefined {
  const edge = use.target === 'edge' ? cell.edges.get(use.id) : undefined;
  if (edge === undefined || edge.positions.length < 4) return undefined;
  return { edge, reversed: use.reversed, drawable: isDrawable(use) };
}

/** Whether the boundary or line of a feature is drawn along this edge: it is not masked or truncated. */
export const isDrawable = ({ masked, usage }: SpatialUse): boolean =>
  !masked && usage !== 'truncated';

const startOf = ({ edge, reversed }: EdgeUse) => (reversed ? edge.end : edge.begin);
const endOf = ({ edge, reversed }: EdgeUse) => (reversed ? edge.begin : edge.end);

/** A line feature as connected chains, in the order and direction the record gives. */
export function chainsOf(cell: Cell, feature: Feature): Chain[] {
  const chains: EdgeUse[][] = [];
  for (const use of feature.spatial) {
    const edge = edgeUse(cell, use);
    if (edge === undefined) continue;
    const current = chains.at(-1);
    const last = current?.at(-1);
    const joined = last !== undefined && endOf(last) !== undefined && endOf(last) === startOf(edge);
    if (current !== undefined && joined) current.push(edge);
    else chains.push([edge]);
  }
  return chains;
}

/**
 * An area as polygons of one exterior ring and its holes. Rings are built by following nodes: with the
 * next edge in the record if it connects, otherwise with any unused edge of the same usage, reversed if
 * necessary. Some inland producers have several nodes at one position: if a ring does not close by node
 * ids, positions are compared.
 */
export function areaOf(cell: Cell, feature: Feature): AreaOfEdges {
  const exterior: EdgeUse[] = [];
  const interior: EdgeUse[] = [];
  for (const use of feature.spatial) {
    const edge = edgeUse(cell, use);
    if (edge !== undefined) (use.usage === 'interior' ? interior : exterior).push(edge);
  }
  // Some producers mark the boundary of an area as interior (USAG 2) and give no other.
  if (exterior.length === 0) return polygonsByNesting(ringsOf(interior, true));
  const outer = ringsOf(exterior, true);
  const inner = ringsOf(interior, false);
  return outer.length === 1 ? [[outer[0]!, ...inner]] : polygonsByNesting(outer, inner);
}

function ringsOf(uses: readonly EdgeUse[], exterior: boolean): RingOfEdges[] {
  if (uses.length === 0) return [];
  const rings = closeRings(uses, exterior);
  return rings.every(isClosed) ? rings : closeRings(joinedByPlace(uses), exterior);
}

/**
 * Fast check, without allocation, whether the edges of an area form closed rings in record order. If
 * false, call `areaOf` to find out whether the rings close.
 */
export function closesInOrder(cell: Cell, feature: Feature): boolean {
  let start: number | undefined;
  let at: number | undefined;
  let interior = false;
  for (const use of feature.spatial) {
    const edge = use.target === 'edge' ? cell.edges.get(use.id) : undefined;
    if (edge === undefined || edge.begin === undefined || edge.end === undefined) return false;
    const from = use.reversed ? edge.end : edge.begin;
    if (start === undefined) {
      start = from;
      interior = use.usage === 'interior';
    } else if (from !== at || (use.usage === 'interior') !== interior) return false;
    at = use.reversed ? edge.begin : edge.end;
    if (at === start) start = undefined;
  }
  return at !== undefined && start === undefined;
}

/** Whether a ring closes. An open ring is a fault in the data. */
export function isClosed(ring: RingOfEdges): boolean {
  const first = ring.uses[0]!;
  const last = ring.uses.at(-1)!;
  return startOf(first) !== undefined && endOf(last) === startOf(first);
}

/** The same uses with one node for all nodes at a position. */
function joinedByPlace(uses: readonly EdgeUse[]): EdgeUse[] {
  const nodes = new Map<string, number>();
  const nodeAt = (node: number | undefined, x: number, y: number): number | undefined => {
    if (node === undefined) return undefined;
    const place = `${x} ${y}`;
    const known = nodes.get(place);
    if (known === undefined) nodes.set(place, node);
    return known ?? node;
  };
  return uses.map((use) => {
    const { positions, begin, end } = use.edge;
    const last = positions.length - 2;
    const edge = {
      ...use.edge,
      begin: nodeAt(begin, positions[0]!, positions[1]!),
      end: nodeAt(end, positions[last]!, positions[last + 1]!),
    };
    return { ...use, edge };
  });
}

function closeRings(uses: readonly EdgeUse[], exterior: boolean): RingOfEdges[] {
  const rings: RingOfEdges[] = [];
  const used = new Uint8Array(uses.length);
  let byNode: ReadonlyMap<number, readonly number[]> | undefined;
  for (let first = 0; first < uses.length; first++) {
    if (used[first] === 1) continue;
    used[first] = 1;
    const ring: EdgeUse[] = [uses[first]!];
    const start = startOf(ring[0]!);
    let at = endOf(ring[0]!);
    let next = first + 1;
    while (at !== undefined && at !== start) {
      const inOrder = uses[next];
      if (inOrder !== undefined && used[next] === 0 && startOf(inOrder) === at) {
        used[next++] = 1;
        ring.push(inOrder);
        at = endOf(inOrder);
        continue;
      }
      byNode ??= indexByNode(uses);
      const found = follow(uses, used, byNode, at);
      if (found === undefined) break;
      used[found.index] = 1;
      ring.push(found.use);
      at = endOf(found.use);
      next = found.index + 1;
    }
    rings.push({ uses: ring, exterior });
  }
  return rings;
}

function indexByNode(uses: readonly EdgeUse[]): ReadonlyMap<number, readonly number[]> {
  const byNode = new Map<number, number[]>();
  uses.forEach(({ edge }, index) => {
    for (const node of new Set([edge.begin, edge.end])) {
      if (node === undefined) continue;
      pushTo(byNode, node, index);
    }
  });
  return byNode;
}

/** An unused edge that starts at a node; otherwise one that ends there, reversed. */
function follow(
  uses: readonly EdgeUse[],
  used: Uint8Array,
  byNode: ReadonlyMap<number, readonly number[]>,
  at: number,
): { index: number; use: EdgeUse } | undefined {
  const near = (byNode.get(at) ?? []).filter((index) => used[index] === 0);
  const forward = near.find((index) => startOf(uses[index]!) === at);
  if (forward !== undefined) return { index: forward, use: uses[forward]! };
  const turned = near[0];
  if (turned === undefined) return undefined;
  const use = uses[turned]!;
  return { index: turned, use: { ...use, reversed: !use.reversed } };
}

/** Coordinates of a chain or ring, interleaved degrees, without repeated shared nodes. */
export function positionsOf(uses: readonly EdgeUse[]): Float64Array {
  let size = 0;
  for (const { edge } of uses) size += edge.positions.length;
  const out = new Float64Array(size);
  let at = 0;
  for (const { edge, reversed } of uses) {
    const { positions } = edge;
    const last = positions.length - 2;
    let from = reversed ? last : 0;
    const step = reversed ? -2 : 2;
    const joins = at >= 2 && out[at - 2] === positions[from] && out[at - 1] === positions[from + 1];
    if (joins) from += step;
    for (; from >= 0 && from <= last; from += step) {
      out[at++] = positions[from]!;
      out[at++] = positions[from + 1]!;
    }
  }
  return out.subarray(0, at);
}

/** A ring with its positions, the double of its area, and its box. */
interface Shape {
  readonly ring: RingOfEdges;
  readonly positions: Float64Array;
  readonly size: number;
  readonly box: Box;
}

function shapeOf(ring: RingOfEdges): Shape {
  const positions = positionsOf(ring.uses);
  return { ring, positions, size: doubleArea(positions), box: boundsOf([positions]) };
}

const isWithin = (inner: Shape, outer: Shape): boolean =>
  isRingWithin(inner.positions, outer.positions, outer.box);

/**
 * A ring inside an odd number of others is a hole, whatever its usage: some producers omit the usage of holes, and
 * an exterior ring that meets itself may enclose one. Interior rings are always holes.
 */
function polygonsByNesting(
  rings: readonly RingOfEdges[],
  interior: readonly RingOfEdges[] = [],
): AreaOfEdges {
  if (rings.length <= 1) return rings.map((ring) => [ring]);
  const shapes = rings.map(shapeOf);
  const all = [...shapes, ...interior.map(shapeOf)];
  const isHole = shapes.map((shape) => {
    const around = all.filter(
      (other) =>
        Math.abs(other.size) > Math.abs(shape.size) &&
        // Rings that overlap in faulty data are separate.
        isInside(shape.box, other.box) &&
        isWithin(shape, other),
    );
    return around.length % 2 === 1;
  });
  const outer = rings.filter((_, i) => !isHole[i]);
  const inner = rings.filter((_, i) => isHole[i]).map((ring) => ({ ...ring, exterior: false }));
  return assignHoles(outer, [...interior, ...inner]);
}

/**
 * Assign each hole to the smallest ring around it. There are several exterior rings if a ring touches
 * itself at a node, or in faulty data.
 */
function assignHoles(outer: readonly RingOfEdges[], inner: readonly RingOfEdges[]): AreaOfEdges {
  const polygons = outer.map((ring) => ({ rings: [ring], shape: shapeOf(ring) }));
  for (const hole of inner) {
    const shape = shapeOf(hole);
    const around = polygons
      .filter((polygon) => isWithin(shape, polygon.shape))
      .sort((a, b) => Math.abs(a.shape.size) - Math.abs(b.shape.size))[0];
    (around ?? polygons[0])?.rings.push(hole);
  }
  return polygons.map((polygon) => polygon.rings);
}
