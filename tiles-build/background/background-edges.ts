// Converts lines and rings of a background to edges for the tiler. Background edges are never
// shared.

import type { AreaOfEdges, Edge, EdgeUse } from '../../shared/s57/cell/cell.ts';
import type { Path, Ring } from './geojson.ts';

/** Returns a new id for an edge or node. */
export type NextId = () => number;

export function counter(): NextId {
  let last = 0;
  return () => ++last;
}

/** An edge along a whole ring, with one node as start and end. */
function ringEdge(ring: Ring, nextId: NextId): Edge {
  const id = nextId();
  return { id, begin: id, end: id, positions: flat(ring), attributes: {} };
}

export function pathEdge(path: Path, nextId: NextId): Edge {
  const id = nextId();
  return { id, begin: nextId(), end: nextId(), positions: flat(path), attributes: {} };
}

export function useOf(edge: Edge): EdgeUse {
  return { edge, reversed: false, drawable: true };
}

/** Polygons as edges, without rings of zero area; empty if none is left. */
export function areaOf(polygons: readonly (readonly Ring[])[], nextId: NextId): AreaOfEdges {
  return polygons.flatMap((rings) => {
    const whole = rings.filter((ring) => ring.length >= 4);
    if (whole.length === 0) return [];
    return [whole.map((ring, i) => ({ uses: [useOf(ringEdge(ring, nextId))], exterior: i === 0 }))];
  });
}

function flat(positions: readonly (readonly number[])[]): Float64Array {
  const values = new Float64Array(positions.length * 2);
  positions.forEach((position, i) => {
    values[2 * i] = position[0]!;
    values[2 * i + 1] = position[1]!;
  });
  return values;
}
