// Turns that the vessel can make. Each corner becomes an arc, drawn as a polygon around it, so that
// no point of the path turns more than allowed and the turning radius fits inside the polygon.

import { type ArcShape, headingOf, type Pose, sailArc, turnAt } from '../geometry/arcs.ts';
import { cellsOf, type Point } from '../geometry/plane.ts';
import { type IsClear, steer } from './steer.ts';

interface TurnLimits {
  /** 0: no limit. */
  readonly radiusMeters: number;
  /** Degrees; 180: no limit. */
  readonly maxDegrees: number;
}

/** Maximum step of an arc, so that the polygon stays near the arc. */
const STEP_DEGREES = 30;
/** Radii that are tried if only the angle is limited. */
const FREE_RADII_METERS = [100, 30, 10, 3, 1];
/** Distance, in radii, around a corner that does not fit within which another way is searched. */
const WINDOWS = [4, 8, 16];
const MOST_REPAIRS = 24;
/** Positions are rounded in the result. This margin keeps the limit. */
const TO_SPARE = 0.999;
const ROUNDING_CELLS = 1e-6;
/** A waypoint is passed on a straight run if the course changes by more than this there. */
const PASSED_STRAIGHT = Math.PI / 180;

function areAnyTurnsFine({ radiusMeters, maxDegrees }: TurnLimits): boolean {
  return radiusMeters === 0 && maxDegrees >= 180;
}

/** The parameters for rounding all corners of a line. */
interface Rounding {
  readonly radiusMeters: number;
  /** Most turn at a point of the line, radians. */
  readonly step: number;
  readonly isClear: IsClear;
}

/** The shape of an arc at a height of the plane. */
function shapeAt({ radiusMeters, step }: Rounding, y: number): ArcShape {
  return { radius: cellsOf(radiusMeters, y), step };
}

/** A line with some points, the waypoints, that must stay. */
interface Line {
  readonly points: Point[];
  readonly isWaypoint: boolean[];
}

/**
 * Joins the ways between waypoints to one line that keeps the limits and passes each waypoint. The
 * course at both ends of the line is free.
 *
 * @returns the line, or the number of the waypoint before which no turn fits
 */
export function joinWays(
  ways: readonly (readonly Point[])[],
  limits: TurnLimits,
  isClear: IsClear,
): readonly Point[] | number {
  if (areAnyTurnsFine(limits)) return ways.flatMap((way, i) => (i === 0 ? way : way.slice(1)));
  const radii = limits.radiusMeters > 0 ? [limits.radiusMeters] : FREE_RADII_METERS;
  const step = (Math.min(STEP_DEGREES, limits.maxDegrees) * TO_SPARE * Math.PI) / 180;
  let answer: readonly Point[] | number = 1;
  for (const radiusMeters of radii) {
    answer = fitted(withRunsThrough(ways, radiusMeters), { radiusMeters, step, isClear });
    if (typeof answer !== 'number') return answer;
  }
  return answer;
}

/** If the line turns sharply at a waypoint, adds a straight run through it. */
function withRunsThrough(ways: readonly (readonly Point[])[], radiusMeters: number): Line {
  const points: Point[] = [];
  const isWaypoint: boolean[] = [];
  const add = (point: Point, is: boolean) => {
    points.push(point);
    isWaypoint.push(is);
  };
  for (const [i, way] of ways.entries()) {
    for (const [k, point] of way.entries()) {
      if (k > 0 || i === 0) add(point, k === 0 || k === way.length - 1);
    }
    const next = ways[i + 1];
    if (next === undefined) continue;
    const at = way[way.length - 1]!;
    const before = way[way.length - 2] ?? at;
    const after = next[1] ?? at;
    if (turnAt(before, at, after) <= PASSED_STRAIGHT) continue;
    const run = cellsOf(radiusMeters, at.y);
    const heading = middleHeading(headingOf(before, at), headingOf(at, after));
    const dx = run * Math.cos(heading);
    const dy = run * Math.sin(heading);
    points.splice(-1, 0, { x: at.x - dx, y: at.y - dy });
    isWaypoint.splice(-1, 0, false);
    add({ x: at.x + dx, y: at.y + dy }, false);
  }
  return { points, isWaypoint };
}

function middleHeading(a: number, b: number): number {
  return Math.atan2(Math.sin(a) + Math.sin(b), Math.cos(a) + Math.cos(b));
}

/** Rounds all corners, and steers around those that do not fit. */
function fitted(line: Line, rounding: Rounding): readonly Point[] | number {
  let now = line;
  let window = 0;
  let before = -1;
  for (let repairs = 0; repairs < MOST_REPAIRS; repairs++) {
    const rounded = roundCorners(now, rounding);
    if (typeof rounded !== 'number') return rounded;
    const at = now.points[rounded]!;
    const key = at.x * 31 + at.y;
    window = key === before ? window + 1 : 0;
    before = key;
    let repaired: Line | undefined;
    for (; window < WINDOWS.length && repaired === undefined; window++) {
      const reach = WINDOWS[window]! * shapeAt(rounding, at.y).radius;
      repaired = steerAround(now, rounded, reach, rounding);
    }
    if (repaired === undefined) return waypointAfter(now, rounded);
    now = repaired;
  }
  return 1;
}

function waypointAfter({ isWaypoint }: Line, corner: number): number {
  let waypoint = 0;
  for (let i = 1; i < isWaypoint.length; i++) {
    if (isWaypoint[i]) waypoint++;
    if (isWaypoint[i] && i >= corner) break;
  }
  return waypoint;
}

/** @returns the line, or the number of the first corner that does not fit */
function roundCorners({ points }: Line, rounding: Rounding): readonly Point[] | number {
  const last = points.length - 1;
  const taken = points.map((point, i) =>
    i === 0 || i === last
      ? 0
      : tangentCells(
          turnAt(points[i - 1]!, point, points[i + 1]!),
          shapeAt(rounding, point.y).radius,
        ),
  );
  const rounded: Point[] = [points[0]!];
  for (let i = 1; i <= last; i++) {
    const a = points[i - 1]!;
    const b = points[i]!;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (taken[i - 1]! + taken[i]! > length + ROUNDING_CELLS) {
      return taken[i - 1]! > taken[i]! ? i - 1 : i;
    }
    const arc =
      i === last ? [b] : arcAround([a, b, points[i + 1]!], taken[i]!, shapeAt(rounding, b.y));
    for (const point of arc) {
      if (!rounding.isClear(rounded[rounded.length - 1]!, point))
        return Math.max(1, Math.min(i, last - 1));
      rounded.push(point);
    }
  }
  return rounded;
}

function tangentCells(turn: number, radiusCells: number): number {
  return radiusCells * Math.tan(Math.min(turn, Math.PI * 0.999) / 2);
}

/** Corners that replace b, between a and c; only b if it turns no more than one step. */
function arcAround(
  [a, b, c]: readonly [Point, Point, Point],
  tangent: number,
  shape: ArcShape,
): Point[] {
  const turn = turnAt(a, b, c);
  if (turn <= shape.step) return [b];
  const heading = headingOf(a, b);
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const x = b.x - ((b.x - a.x) * tangent) / length;
  const y = b.y - ((b.y - a.y) * tangent) / length;
  const side = Math.sign((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)) || 1;
  const corners: Point[] = [];
  sailArc({ x, y, heading }, side, turn, shape, corners);
  return corners;
}

/** Replaces the line around a corner, between the waypoints before and after it. */
function steerAround(
  line: Line,
  corner: number,
  reach: number,
  rounding: Rounding,
): Line | undefined {
  const { points, isWaypoint } = line;
  const from = alongFrom(line, corner, -1, reach);
  const to = alongFrom(line, corner, 1, reach);
  const start: Pose = { ...from.point, heading: headingOf(from.point, points[from.next]!) };
  const end: Pose = { ...to.point, heading: headingOf(points[to.next]!, to.point) };
  const corners = steer(start, end, shapeAt(rounding, points[corner]!.y), rounding.isClear);
  if (corners === undefined) return undefined;
  const kept = from.next - (from.isPoint ? 1 : 0);
  const before = points.slice(0, kept);
  const after = points.slice(to.next + 1 + (to.isPoint ? 1 : 0));
  const middle = [from.point, ...corners];
  return {
    points: [...before, ...middle, ...after],
    isWaypoint: [
      ...isWaypoint.slice(0, kept),
      from.isPoint && isWaypoint[from.next - 1]!,
      ...corners.slice(1).map(() => false),
      to.isPoint && isWaypoint[to.next + 1]!,
      ...isWaypoint.slice(to.next + 1 + (to.isPoint ? 1 : 0)),
    ],
  };
}

/**
 * The place on the line at a given distance before or after a corner, or the waypoint on the way if
 * it is nearer. `next` is the point of the line towards the corner. `isPoint`: the place is a point
 * of the line.
 */
function alongFrom(
  { points, isWaypoint }: Line,
  corner: number,
  direction: 1 | -1,
  reach: number,
): { readonly point: Point; readonly next: number; readonly isPoint: boolean } {
  let left = reach;
  let i = corner;
  for (;;) {
    const here = points[i]!;
    const there = points[i + direction];
    if (there === undefined || (isWaypoint[i] && i !== corner)) {
      return { point: here, next: i - direction, isPoint: true };
    }
    const length = Math.hypot(there.x - here.x, there.y - here.y);
    if (length > left) {
      const part = left / length;
      const point = {
        x: here.x + (there.x - here.x) * part,
        y: here.y + (there.y - here.y) * part,
      };
      return { point, next: i, isPoint: false };
    }
    left -= length;
    i += direction;
  }
}
