// Area and winding of rings, point-in-ring tests, and grouping of holes with their polygons.

import { type Box, boundsOf, type Flat } from './clip-box.ts';

/** Flat coordinates of a ring. */
type Ring = ArrayLike<number>;

/**
 * Twice the signed area. Positive if the ring runs clockwise on a screen (y downwards) or
 * anticlockwise on a map (y upwards).
 */
export function doubleArea(ring: Ring): number {
  const n = ring.length;
  if (n < 6) return 0;
  // Relative to the first point, so that large coordinates keep their precision.
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  let sum = 0;
  let px = ring[n - 2]! - x0;
  let py = ring[n - 1]! - y0;
  for (let i = 0; i < n; i += 2) {
    const x = ring[i]! - x0;
    const y = ring[i + 1]! - y0;
    sum += px * y - x * py;
    px = x;
    py = y;
  }
  return sum;
}

/** The ring with the winding of an outer ring (positive area) or of a hole (negative). */
export function oriented(ring: Flat, outer: boolean): Flat {
  if (doubleArea(ring) > 0 === outer) return ring;
  const turned: Flat = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) turned.push(ring[i]!, ring[i + 1]!);
  return turned;
}

/**
 * Even-odd test with half-open edges: a point on an edge shared by two rings is in at most one of
 * them.
 */
export function isPointInRing(x: number, y: number, ring: Ring): boolean {
  let inside = false;
  const n = ring.length;
  for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
    const yi = ring[i + 1]!;
    const yj = ring[j + 1]!;
    if (yi > y !== yj > y && x < ((ring[j]! - ring[i]!) * (y - yi)) / (yj - yi) + ring[i]!) {
      inside = !inside;
    }
  }
  return inside;
}

const isInBox = (x: number, y: number, { left, right, top, bottom }: Box): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

/** 1 inside, 0 on the border, −1 outside. Requires integer coordinates. */
export function sideOfRings(x: number, y: number, rings: readonly Ring[]): -1 | 0 | 1 {
  let inside = false;
  for (const ring of rings) {
    const n = ring.length;
    for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
      const xi = ring[i]! - x;
      const yi = ring[i + 1]! - y;
      const xj = ring[j]! - x;
      const yj = ring[j + 1]! - y;
      const cross = xi * yj - xj * yi;
      if (cross === 0 && xi * xj <= 0 && yi * yj <= 0) return 0;
      if (yi > 0 !== yj > 0 && cross > 0 === yj > yi) inside = !inside;
    }
  }
  return inside ? 1 : -1;
}

/**
 * Group rings by winding (outer rings positive, holes negative, as clippers return them) to
 * polygons of an outer ring and its holes.
 */
export function groupRings(rings: readonly Flat[]): Flat[][] {
  const outers = rings.filter((ring) => doubleArea(ring) > 0);
  const holes = rings.filter((ring) => doubleArea(ring) < 0);
  const polygons = outers.map((ring) => [ring]);
  if (polygons.length === 1) return [[...polygons[0]!, ...holes]];
  const boxes = holes.length === 0 ? [] : outers.map((ring) => boundsOf([ring]));
  for (const hole of holes) {
    const around = polygons
      .filter(([outer], i) => isRingWithin(hole, outer!, boxes[i]))
      .sort((a, b) => doubleArea(a[0]!) - doubleArea(b[0]!))[0];
    around?.push(hole);
  }
  return polygons;
}

/**
 * Whether a ring lies within another that it does not cross. Tests the first vertex that is not on
 * the other ring, as holes may touch it.
 * @param box the bounding box of `outer`, which saves most tests if there are many rings
 */
export function isRingWithin(ring: Ring, outer: Ring, box?: Box): boolean {
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i]!, ring[i + 1]!];
    if (box !== undefined && !isInBox(x, y, box)) return false;
    const side = sideOfRings(x, y, [outer]);
    if (side !== 0) return side > 0;
  }
  return true;
}
