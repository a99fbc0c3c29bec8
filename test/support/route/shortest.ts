// The shortest way by the exact visibility graph: all corners of the obstacles, every pair with a clear
// line of sight, Dijkstra. It is slow and simple, and the reference for the planner.

import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js';
import UnaryUnionOp from 'jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js';

type Geometry = InstanceType<typeof import('jsts/org/locationtech/jts/geom/Geometry.js').default>;

import type { Spot } from './synthetic-sea.ts';

/**
 * Length in cells of the shortest way from a to b around rings that may be touched; infinite without a
 * way. The rings are grown by `room` with inscribed rounded corners, so the length is never too large.
 */
export function shortestLength(
  rings: readonly (readonly Spot[])[],
  a: Spot,
  b: Spot,
  room = 0,
): number {
  const factory = new GeometryFactory();
  const polygons = rings.map((ring) => {
    const coordinates = [...ring, ring[0]!].map(([x, y]) => new Coordinate(x, y));
    return factory.createPolygon(factory.createLinearRing(coordinates));
  });
  const union = UnaryUnionOp.union(factory.createGeometryCollection(polygons));
  // A way may run along an obstacle, so the obstacle for crossings is slightly smaller.
  const edges = outlinesOf(union, room - 1e-4).flatMap((ring) =>
    ring.map((from, i) => [from, ring[(i + 1) % ring.length]!] as const),
  );
  const corners = outlinesOf(union, room).flat();
  const spots = [a, b, ...corners];
  const isInside = ([x, y]: Spot) => {
    let inside = false;
    for (const [[ax, ay], [bx, by]] of edges) {
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    }
    return inside;
  };
  const sees = (p: Spot, q: Spot) => {
    for (const [c, d] of edges) {
      const s1 = cross(p, q, c);
      const s2 = cross(p, q, d);
      if (s1 * s2 >= 0) continue;
      if (cross(c, d, p) * cross(c, d, q) < 0) return false;
    }
    // Lines that run through corners: their inner points must be outside.
    return [0.25, 0.5, 0.75].every(
      (t) => !isInside([p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t]),
    );
  };
  return dijkstra(spots, sees);
}

function outlinesOf(geometry: Geometry, room: number): Spot[][] {
  const grown = BufferOp.bufferOp(geometry, room, 8);
  const outlines: Spot[][] = [];
  for (let i = 0; i < grown.getNumGeometries(); i++) {
    const part = grown.getGeometryN(i);
    const rings = [part.getExteriorRing()];
    for (let k = 0; k < part.getNumInteriorRing(); k++) rings.push(part.getInteriorRingN(k));
    for (const ring of rings) {
      const coordinates = ring.getCoordinates().slice(0, -1);
      outlines.push(coordinates.map(({ x, y }: Coordinate): Spot => [x, y]));
    }
  }
  return outlines;
}

function cross(a: Spot, b: Spot, c: Spot): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** The length from the first position to the second. */
function dijkstra(spots: readonly Spot[], sees: (p: Spot, q: Spot) => boolean): number {
  const far = spots.map(() => Number.POSITIVE_INFINITY);
  const isDone = spots.map(() => false);
  far[0] = 0;
  for (;;) {
    let at = -1;
    for (let i = 0; i < spots.length; i++) {
      if (!isDone[i] && far[i]! < (at < 0 ? Number.POSITIVE_INFINITY : far[at]!)) at = i;
    }
    if (at < 0 || at === 1) return far[1]!;
    isDone[at] = true;
    const [x, y] = spots[at]!;
    for (let i = 0; i < spots.length; i++) {
      if (isDone[i]) continue;
      const length = far[at]! + Math.hypot(spots[i]![0] - x, spots[i]![1] - y);
      if (length < far[i]! && sees(spots[at]!, spots[i]!)) far[i] = length;
    }
  }
}
