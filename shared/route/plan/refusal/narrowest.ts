// The narrowest place of a path, measured on the exact edges.

import type { Sea } from '../../sea.ts';
import { cellsOf, metersPerCell, type Point } from '../geometry/plane.ts';
import { FULL_DETAIL } from '../read/detail.ts';
import { type SquareRequests, withSquares } from '../read/square-requests.ts';
import type { Water } from '../read/water.ts';
import { footOn, LineOfSight } from '../sight/line-of-sight.ts';

/** Maximum number of points that are measured on a path. */
const MOST_POINTS = 4000;
/** Points measured around the narrowest of them. */
const POINTS_AROUND = 32;
/** Steps in the search for the radius of a circle between two shores. */
const RADIUS_STEPS = 16;
/**
 * Places up to this many times as wide as needed are measured: cells are narrower than the water.
 */
const WIDER = 1.25;
/** A circle may overlap an edge by this part of its radius, because of rounding. */
const ROUNDING = 1e-3;

export interface NarrowPlace {
  /** The middle between the two sides. */
  readonly at: Point;
  readonly widthMeters: number;
}

/**
 * The narrowest place of a line that needs a width of `widthMeters`. The width at a point is the
 * diameter of the circle that touches the nearest edge there and the edges opposite.
 */
export function* narrowestPlace(
  water: Water,
  sea: Sea,
  line: readonly Point[],
  widthMeters: number,
): SquareRequests<NarrowPlace | undefined> {
  const lineOfSight = new LineOfSight(water, FULL_DETAIL);
  const most = WIDER * cellsOf(widthMeters / 2, line[0]!.y);
  const { points, step } = pointsAlong(line);
  const first = yield* narrowestOf(sea, lineOfSight, points, most);
  if (first === undefined) return undefined;
  const before = points[Math.max(0, first.index - 1)]!;
  const after = points[Math.min(points.length - 1, first.index + 1)]!;
  const middle = points[first.index]!;
  const around = [...between(before, middle, step), ...between(middle, after, step)];
  const { circle } = (yield* narrowestOf(sea, lineOfSight, around, most)) ?? first;
  return { at: circle.at, widthMeters: 2 * circle.radius * metersPerCell(circle.at.y) };
}

interface Circle {
  readonly at: Point;
  /** In cells. */
  readonly radius: number;
}

function* narrowestOf(
  sea: Sea,
  lineOfSight: LineOfSight,
  points: readonly Point[],
  most: number,
): SquareRequests<{ readonly circle: Circle; readonly index: number } | undefined> {
  let best: { readonly circle: Circle; readonly index: number } | undefined;
  for (const [index, point] of points.entries()) {
    const limit: number = best?.circle.radius ?? most;
    const circle = yield* withSquares(sea, () => circleAt(lineOfSight, point, limit));
    if (circle !== undefined) best = { circle, index };
  }
  return best;
}

/** Largest circle through a point's nearest edge that meets no other edge, if below `most`. */
function circleAt(lineOfSight: LineOfSight, point: Point, most: number): Circle | undefined {
  const near = lineOfSight.nearestUnsafeEdge(point, most);
  if (near === undefined || near.distance === 0) return undefined;
  const foot = footOn(point, near);
  const away = Math.hypot(point.x - foot.x, point.y - foot.y);
  const centerOf = (radius: number): Point => ({
    x: point.x + ((point.x - foot.x) / away) * (radius - near.distance),
    y: point.y + ((point.y - foot.y) / away) * (radius - near.distance),
  });
  const fits = (radius: number) =>
    lineOfSight.nearestUnsafeEdge(centerOf(radius), radius * (1 - ROUNDING)) === undefined;
  if (fits(most)) return undefined;
  let [enough, tooMuch] = [near.distance, most];
  for (let i = 0; i < RADIUS_STEPS; i++) {
    const radius = (enough + tooMuch) / 2;
    if (fits(radius)) enough = radius;
    else tooMuch = radius;
  }
  return { at: centerOf(enough), radius: enough };
}

/** Points of a line, at least one cell apart. */
function pointsAlong(line: readonly Point[]) {
  const length = line
    .slice(1)
    .reduce((sum, b, i) => sum + Math.hypot(b.x - line[i]!.x, b.y - line[i]!.y), 0);
  const step = Math.max(1, length / MOST_POINTS);
  const points = line.slice(1).flatMap((b, i) => between(line[i]!, b, step));
  return { points: [...points, line.at(-1)!], step: (2 * step) / POINTS_AROUND };
}

/** Points from a to b, without b. */
function between(a: Point, b: Point, step: number): Point[] {
  const count = Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / step);
  return Array.from({ length: count }, (_, k) => ({
    x: a.x + ((b.x - a.x) * k) / count,
    y: a.y + ((b.y - a.y) * k) / count,
  }));
}
