// The position of the symbol or name of an area or a line: the pole of inaccessibility of the
// largest polygon of an area, or the middle of the longest chain of a line.

import polylabel from 'polylabel';
import type { AreaOfEdges, Chain, RingOfEdges } from '../../../shared/s57/cell/cell.ts';
import { positionsOf } from '../../../shared/s57/cell/geometry.ts';

export interface Anchor {
  readonly longitude: number;
  readonly latitude: number;
}

/** Rings are thinned to about this many vertices before the search. */
const RING_VERTICES = 256;
/** Search precision as a share of the polygon's larger side. */
const PRECISION = 1 / 64;

/** A point well inside the largest polygon of an area; `undefined` if all rings are empty. */
export function areaAnchor(area: AreaOfEdges): Anchor | undefined {
  let best: readonly RingOfEdges[] | undefined;
  let bestSize = 0;
  for (const polygon of area) {
    const size = polygon[0] === undefined ? 0 : boxSize(polygon[0]);
    if (size <= bestSize) continue;
    bestSize = size;
    best = polygon;
  }
  if (best === undefined || !Number.isFinite(bestSize)) return undefined;
  return insidePoint(best.map((ring) => positionsOf(ring.uses)));
}

function insidePoint(rings: readonly Float64Array[]): Anchor {
  const found = poleOf(rings.map(thin));
  if (isInside(rings, found)) return found;
  // Thinning may have removed the part that contains the pole.
  const exact = poleOf(rings);
  if (isInside(rings, exact)) return exact;
  // Narrower than the precision of the search: use any point of it.
  return { longitude: rings[0]![0]!, latitude: rings[0]![1]! };
}

/** Pole of inaccessibility in a plane scaled to the proportions of the latitude. */
function poleOf(rings: readonly Float64Array[]): Anchor {
  const outer = rings[0]!;
  const squeeze = Math.max(Math.cos((outer[1]! * Math.PI) / 180), 0.01);
  const polygon = rings.map((ring) => pairs(ring).map(([x, y]) => [x * squeeze, y] as const));
  let side = 0;
  for (let i = 2; i < outer.length; i += 2) {
    side = Math.max(
      side,
      Math.abs(outer[i]! - outer[0]!) * squeeze,
      Math.abs(outer[i + 1]! - outer[1]!),
    );
  }
  const [x, y] = polylabel(polygon, side * PRECISION);
  return { longitude: x / squeeze, latitude: y };
}

function isInside(rings: readonly Float64Array[], { longitude, latitude }: Anchor): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const y1 = ring[i + 1]!;
      const y2 = ring[j + 1]!;
      if (y1 > latitude === y2 > latitude) continue;
      const x = ring[i]! + ((latitude - y1) / (y2 - y1)) * (ring[j]! - ring[i]!);
      if (x > longitude) inside = !inside;
    }
  }
  return inside;
}

/** The point half-way along the longest chain; `undefined` if all chains have length 0. */
export function lineAnchor(chains: readonly Chain[]): Anchor | undefined {
  let best: Line | undefined;
  let bestLength = 0;
  for (const chain of chains) {
    const points = pairs(positionsOf(chain));
    const length = lengthOf(points);
    if (length <= bestLength) continue;
    bestLength = length;
    best = points;
  }
  return best === undefined ? undefined : pointAlong(best, bestLength / 2);
}

type Line = readonly (readonly [number, number])[];

/** The point at a distance along a line, in degrees on a plane. */
function pointAlong(line: Line, distance: number): Anchor | undefined {
  let left = distance;
  for (let i = 1; i < line.length; i += 1) {
    const [x1, y1] = line[i - 1]!;
    const [x2, y2] = line[i]!;
    const step = Math.hypot(x2 - x1, y2 - y1);
    if (step >= left && step > 0) {
      const share = left / step;
      return { longitude: x1 + (x2 - x1) * share, latitude: y1 + (y2 - y1) * share };
    }
    left -= step;
  }
  return undefined;
}

function lengthOf(points: Line): number {
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

function pairs(positions: Float64Array): Line {
  const points: (readonly [number, number])[] = [];
  for (let i = 0; i < positions.length; i += 2) points.push([positions[i]!, positions[i + 1]!]);
  return points;
}

/** Keeps every nth vertex, so that about `RING_VERTICES` remain. */
function thin(ring: Float64Array): Float64Array {
  const step = Math.ceil(ring.length / 2 / RING_VERTICES);
  if (step <= 1) return ring;
  const kept = new Float64Array(2 * Math.ceil(ring.length / 2 / step));
  for (let i = 0; i < kept.length; i += 2) {
    kept[i] = ring[i * step]!;
    kept[i + 1] = ring[i * step + 1]!;
  }
  return kept;
}
