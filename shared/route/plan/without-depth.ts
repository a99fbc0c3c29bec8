// How much of a leg has no charted depth: outside the charts, or in water that was not surveyed.

import { SEA_FLAGS } from '../sea.ts';
import { legMeters, type Point } from './plane.ts';
import { TOP_LEVEL, type View, type Water } from './water.ts';

const NO_DEPTH = SEA_FLAGS.background | SEA_FLAGS.unknownDepth;

/**
 * Metres of a leg in cells without a charted depth, as finely as the search has looked there; never
 * less than there are.
 */
export function metersWithoutDepth(water: Water, a: Point, b: Point): number {
  const size = 1 << TOP_LEVEL;
  let meters = 0;
  for (let y = row(Math.min(a.y, b.y)); y <= row(Math.max(a.y, b.y)); y++) {
    const right = Math.floor(Math.max(a.x, b.x) / size);
    for (let x = Math.floor(Math.min(a.x, b.x) / size); x <= right; x++) {
      meters += inBlock(water, water.rootAt(x & 3, y), TOP_LEVEL, x, y, a, b);
    }
  }
  return Math.min(meters, legMeters(a, b));
}

function inBlock(
  water: Water,
  view: View,
  level: number,
  x: number,
  y: number,
  a: Point,
  b: Point,
): number {
  const size = 1 << level;
  const part = partWithin(a, b, x * size, y * size, size);
  if (part === undefined) return 0;
  const { square, mips, cellLevel, finer } = view;
  const above = level - cellLevel;
  const bits = 8 - above;
  const cx = (x - (square.x << bits)) & ((1 << bits) - 1);
  const cy = y - (square.y << bits);
  const i = (cy << bits) + cx;
  if (((mips.anyFlags?.[above]?.[i] ?? 0) & NO_DEPTH) === 0) return 0;
  const isAll = ((mips.allFlags?.[above]?.[i] ?? 0) & NO_DEPTH) !== 0;
  const below = above === 0 ? finer[(cy >> 5) * 8 + (cx >> 5)] : view;
  if (isAll || below === undefined) return legMeters(part[0], part[1]);
  let meters = 0;
  for (let k = 0; k < 4; k++) {
    meters += inBlock(water, below, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1), a, b);
  }
  return meters;
}

/** The part of a leg inside a block; undefined where there is none, or a single point. */
function partWithin(
  a: Point,
  b: Point,
  left: number,
  top: number,
  size: number,
): readonly [Point, Point] | undefined {
  let [t0, t1] = [0, 1];
  for (const [start, length, low] of [
    [a.x, b.x - a.x, left],
    [a.y, b.y - a.y, top],
  ] as const) {
    if (length === 0) {
      // On a border the block after it has the leg.
      if (start < low || start >= low + size) return undefined;
      continue;
    }
    const enter = (low - start) / length;
    const leave = (low + size - start) / length;
    t0 = Math.max(t0, Math.min(enter, leave));
    t1 = Math.min(t1, Math.max(enter, leave));
  }
  if (t0 >= t1) return undefined;
  const at = (t: number) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
  return [at(t0), at(t1)];
}

function row(y: number): number {
  return Math.max(0, Math.min(3, Math.floor(y / (1 << TOP_LEVEL))));
}
