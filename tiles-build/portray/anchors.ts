// Where the one symbol or name of an area or a line stands: the pole of inaccessibility of an
// area's largest polygon, the middle of a line's longest chain.

import polylabel from 'polylabel';
import type { AreaOfEdges, Chain, EdgeUse, RingOfEdges } from '../read/cell.ts';
import { positionsOf } from '../read/geometry.ts';

export interface Anchor {
  readonly longitude: number;
  readonly latitude: number;
}

/** Rings are thinned to about this many vertices before the search. */
const RING_VERTICES = 256;
/** Search precision as a share of the polygon's larger side. */
const PRECISION = 1 / 64;

/** A point well inside the largest polygon of an area; undefined where no ring has a size. */
export function areaAnchor(area: AreaOfEdges): Anchor | undefined {
  let best: readonly RingOfEdges[] | undefined;
  let bestSize = 0;
  for (const polygon of area) {
    const outer = polygon[0];
    if (outer === undefined) continue;
    const size = boxSize(outer);
    if (size <= bestSize) continue;
    bestSize = size;
    best = polygon;
  }
  if (best === undefined) return undefined;

  const outer = ringPoints(best[0]!.uses);
  const middle = outer[0]![1];
  const squeeze = Math.max(Math.cos((middle * Math.PI) / 180), 0.01);
  const rings = best.map((ring) =>
    thin(ringPoints(ring.uses)).map(([x, y]) => [x * squeeze, y] as const),
  );
  const xs = rings[0]!.map(([x]) => x);
  const ys = rings[0]!.map(([, y]) => y);
  const side = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  if (!(side > 0)) return undefined;
  const [x, y] = polylabel(rings, side * PRECISION);
  return { longitude: x / squeeze, latitude: y };
}

/** The point half-way along the longest chain; undefined where there is no length. */
export function lineAnchor(chains: readonly Chain[]): Anchor | undefined {
  let best: (readonly [number, number])[] | undefined;
  let bestLength = 0;
  for (const chain of chains) {
    const points = ringPoints(chain);
    const length = lengthOf(points);
    if (length <= bestLength) continue;
    bestLength = length;
    best = points;
  }
  if (best === undefined) return undefined;
  let left = bestLength / 2;
  for (let i = 1; i < best.length; i += 1) {
    const [x1, y1] = best[i - 1]!;
    const [x2, y2] = best[i]!;
    const step = Math.hypot(x2 - x1, y2 - y1);
    if (step >= left && step > 0) {
      const share = left / step;
      return { longitude: x1 + (x2 - x1) * share, latitude: y1 + (y2 - y1) * share };
    }
    left -= step;
  }
  return undefined;
}

function lengthOf(points: readonly (readonly [number, number])[]): number {
  let length = 0;
  for (let i = 1; i < points.length; i += 1) {
    length += Math.hypot(points[i]![0] - points[i - 1]![0], points[i]![1] - points[i - 1]![1]);
  }
  return length;
}

function boxSize(ring: RingOfEdges): number {
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (const { edge } of ring.uses) {
    for (let i = 0; i + 1 < edge.positions.length; i += 2) {
      west = Math.min(west, edge.positions[i]!);
      east = Math.max(east, edge.positions[i]!);
      south = Math.min(south, edge.positions[i + 1]!);
      north = Math.max(north, edge.positions[i + 1]!);
    }
  }
  return Math.max(0, east - west) * Math.max(0, north - south);
}

function ringPoints(uses: readonly EdgeUse[]): (readonly [number, number])[] {
  const positions = positionsOf(uses);
  const points: (readonly [number, number])[] = [];
  for (let i = 0; i < positions.length; i += 2) points.push([positions[i]!, positions[i + 1]!]);
  return points;
}

function thin<T>(points: readonly T[]): readonly T[] {
  const step = Math.ceil(points.length / RING_VERTICES);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0);
}
