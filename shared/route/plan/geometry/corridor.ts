// Straight lines, and the squares of the plane that they touch or pass.

import type { Point } from './plane.ts';

/**
 * A line and the width that must be free on both sides, in cells of the plane, x unwrapped. If both
 * ends are at one point, it is a square around that point.
 */
export interface Corridor {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly halfWidth: number;
}

export function corridorOf(a: Point, b: Point, halfWidth: number): Corridor {
  return { ax: a.x, ay: a.y, bx: b.x, by: b.y, halfWidth };
}

/** The same corridor on another copy of the world. */
export function shifted(corridor: Corridor, dx: number): Corridor {
  return dx === 0 ? corridor : { ...corridor, ax: corridor.ax + dx, bx: corridor.bx + dx };
}

/** Whether a corridor intersects a square. May also be true if a diagonal corridor is near it. */
export function touchesBlock(
  { ax, ay, bx, by, halfWidth }: Corridor,
  left: number,
  top: number,
  size: number,
): boolean {
  const half = size / 2 + halfWidth;
  const dx = bx - ax;
  const dy = by - ay;
  const cx = ax + dx / 2 - left - size / 2;
  const cy = ay + dy / 2 - top - size / 2;
  const width = Math.abs(dx);
  const height = Math.abs(dy);
  if (Math.abs(cx) > half + width / 2 || Math.abs(cy) > half + height / 2) return false;
  return Math.abs(cx * dy - cy * dx) <= half * (width + height);
}

/** A square of the plane, in cells. */
interface Square {
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

/** Part of a line, from start (0) to end (1). */
export type Span = readonly [from: number, to: number];

/** The part of a line in a square, including the square's borders. */
export function spanWithin(a: Point, b: Point, square: Square): Span | undefined {
  const { left, top, size } = square;
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  let t0 = 0;
  let t1 = 1;
  if (dx === 0) {
    if (a.x < left || a.x > left + size) return undefined;
  } else {
    t0 = Math.max(t0, Math.min((left - a.x) / dx, (left + size - a.x) / dx));
    t1 = Math.min(t1, Math.max((left - a.x) / dx, (left + size - a.x) / dx));
  }
  if (dy === 0) {
    if (a.y < top || a.y > top + size) return undefined;
  } else {
    t0 = Math.max(t0, Math.min((top - a.y) / dy, (top + size - a.y) / dy));
    t1 = Math.min(t1, Math.max((top - a.y) / dy, (top + size - a.y) / dy));
  }
  return t0 > t1 ? undefined : [t0, t1];
}

/** Like spanWithin, without the square's right and lower borders: these are in the next square. */
export function spanWithinHalfOpen(a: Point, b: Point, square: Square): Span | undefined {
  if (a.x === b.x && a.x === square.left + square.size) return undefined;
  if (a.y === b.y && a.y === square.top + square.size) return undefined;
  const span = spanWithin(a, b, square);
  return span === undefined || span[0] === span[1] ? undefined : span;
}
