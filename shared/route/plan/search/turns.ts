// Turns that the vessel can make. Each corner is replaced by line segments that touch an arc of the
// turning radius from outside. At each point the course changes by at most the limit.

import { type ArcShape, headingOf, type Pose, sailArc, turnAt } from '../geometry/arcs.ts';
import { cellsOf, type Point } from '../geometry/plane.ts';
import type { RunPiece } from './ocean-path.ts';
import { type IsClear, type PoseBudget, steer } from './steer.ts';

interface TurnLimits {
  /** 0: no limit. */
  readonly radiusMeters: number;
  /** Degrees; 180: no limit. */
  readonly maxDegrees: number;
}

/** Maximum turn between two segments of an arc, so that the segments stay near the arc. */
const STEP_DEGREES = 30;
/** Radii that are tried if only the angle is limited. */
const RADII_WITHOUT_LIMIT_METERS = [100, 30, 10, 3, 1];
/** Lengths, in turning radii, of the line before and after a corner that are replaced. */
const WINDOWS = [4, 8, 16];
/** Maximum number of parts of the line that are replaced. */
const MOST_REPAIRS = 24;
/** Factor for the maximum turn. Rounded positions then do not exceed the limit. */
const ROUNDING_FACTOR = 0.999;
const TOLERANCE_CELLS = 1e-6;
/**
 * If the course changes by more than this angle at a waypoint, a straight run through the waypoint is
 * added.
 */
const LEAST_TURN_FOR_RUN = Math.PI / 180;

function hasNoTurnLimits({ radiusMeters, maxDegrees }: TurnLimits): boolean {
  return radiusMeters === 0 && maxDegrees >= 180;
}

/** What the work on the turns of a trip shares. */
interface TurnWork<S> {
  readonly isClear: IsClear;
  /** Runs each piece of the work. */
  readonly run: RunPiece<S>;
  /** Poses that all searches of the trip may still examine. */
  readonly budget: PoseBudget;
}

interface ArcOptions<S> extends TurnWork<S> {
  readonly radiusMeters: number;
  /** Maximum turn at a point of the line, radians. */
  readonly step: number;
}

type ArcLimits = Pick<ArcOptions<unknown>, 'radiusMeters' | 'step'>;

function shapeAt({ radiusMeters, step }: ArcLimits, y: number): ArcShape {
  return { radius: cellsOf(radiusMeters, y), step };
}

/** A line. Its waypoints must not be replaced. */
interface Line {
  readonly points: Point[];
  readonly isWaypoint: boolean[];
}

/**
 * Joins the paths between waypoints to one line that respects the limits and passes each waypoint.
 * The course is not limited at the first and last point.
 *
 * @returns the line, or the index of the waypoint at the end of the part in which a turn does not
 *   fit
 */
export function* joinPaths<S>(
  paths: readonly (readonly Point[])[],
  limits: TurnLimits,
  work: TurnWork<S>,
): Generator<S, readonly Point[] | number> {
  // A path between two equal waypoints has no course. It would hide the turn at this place.
  const moving = paths.filter(isMoving);
  if (hasNoTurnLimits(limits) || moving.length === 0)
    return paths.flatMap((path, i) => (i === 0 ? path : path.slice(1)));
  const radii = limits.radiusMeters > 0 ? [limits.radiusMeters] : RADII_WITHOUT_LIMIT_METERS;
  const step = (Math.min(STEP_DEGREES, limits.maxDegrees) * ROUNDING_FACTOR * Math.PI) / 180;
  let answer: readonly Point[] | number = 1;
  for (const [i, radiusMeters] of radii.entries()) {
    // Each radius may use an equal share of what the ones before it left.
    const share = Math.ceil(work.budget.poses / (radii.length - i));
    const budget = { poses: share };
    const options = { ...work, budget, radiusMeters, step };
    answer = yield* roundOrReplaceCorners(withStraightRuns(moving, options), options);
    work.budget.poses -= share - budget.poses;
    if (typeof answer !== 'number') return withEqualWaypoints(answer, paths);
  }
  return paths.indexOf(moving[answer - 1]!) + 1;
}

const isSame = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

function isMoving([first, ...others]: readonly Point[]): boolean {
  return others.some((point) => !isSame(point, first!));
}

/** Repeats the points of the line at which several waypoints lie. */
function withEqualWaypoints(
  line: readonly Point[],
  paths: readonly (readonly Point[])[],
): readonly Point[] {
  const points = [...line];
  let at = 0;
  for (const path of paths) {
    const end = path.at(-1)!;
    if (!isMoving(path)) points.splice(at, 0, end);
    else at = points.findIndex((point, i) => i > at && isSame(point, end));
  }
  return points;
}

function withStraightRuns(
  paths: readonly (readonly Point[])[],
  { radiusMeters, step }: ArcLimits,
): Line {
  const points: Point[] = [];
  const isWaypoint: boolean[] = [];
  const add = (point: Point, isFixed: boolean) => {
    points.push(point);
    isWaypoint.push(isFixed);
  };
  for (const [i, path] of paths.entries()) {
    for (const [k, point] of path.entries()) {
      if (k > 0 || i === 0) add(point, k === 0 || k === path.length - 1);
    }
    const next = paths[i + 1];
    if (next === undefined) continue;
    const at = path[path.length - 1]!;
    const before = path[path.length - 2] ?? at;
    const after = next[1] ?? at;
    if (turnAt(before, at, after) <= Math.min(LEAST_TURN_FOR_RUN, step)) continue;
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

/** Replaces all corners by arcs. If an arc does not fit, replaces the line near that corner. */
function* roundOrReplaceCorners<S>(
  start: Line,
  options: ArcOptions<S>,
): Generator<S, readonly Point[] | number> {
  let line = start;
  let lastCorner: Point | undefined;
  let window = 0;
  for (let repairs = 0; ; repairs++) {
    const before = line;
    const rounded = yield* options.run(() => roundCorners(before, options));
    if (typeof rounded !== 'number') return rounded;
    if (line.isWaypoint[rounded] || repairs === MOST_REPAIRS) return waypointAfter(line, rounded);
    const corner = line.points[rounded]!;
    const isSame = corner.x === lastCorner?.x && corner.y === lastCorner.y;
    // A replaced line may have the same corner again. Then the next larger window is tried.
    window = isSame ? window + 1 : 0;
    lastCorner = corner;
    let repaired: Line | undefined;
    for (; window < WINDOWS.length; window++) {
      repaired = yield* replaceAround(line, rounded, WINDOWS[window]!, options);
      if (repaired !== undefined) break;
    }
    if (repaired === undefined) return waypointAfter(line, rounded);
    line = repaired;
  }
}

function waypointAfter({ isWaypoint }: Line, corner: number): number {
  let waypoint = 0;
  for (let i = 1; i < isWaypoint.length; i++) {
    if (isWaypoint[i]) waypoint++;
    if (isWaypoint[i] && i >= corner) break;
  }
  return waypoint;
}

/**
 * @returns the line, or the index of a corner whose arc is not clear or too long; the index of a
 *   waypoint if no corner before it can be replaced
 */
function roundCorners(
  { points, isWaypoint }: Line,
  options: ArcOptions<unknown>,
): readonly Point[] | number {
  const last = points.length - 1;
  const tangents = points.map((point, i) =>
    i === 0 || i === last
      ? 0
      : tangentLength(
          turnAt(points[i - 1]!, point, points[i + 1]!),
          shapeAt(options, point.y).radius,
        ),
  );
  const rounded: Point[] = [points[0]!];
  for (let i = 1; i <= last; i++) {
    const a = points[i - 1]!;
    const b = points[i]!;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (tangents[i - 1]! + tangents[i]! > length + TOLERANCE_CELLS) {
      return tangents[i - 1]! > tangents[i]! ? i - 1 : i;
    }
    const arc =
      i === last ? [b] : arcAround([a, b, points[i + 1]!], tangents[i]!, shapeAt(options, b.y));
    for (const point of arc) {
      if (!options.isClear(rounded[rounded.length - 1]!, point)) {
        return Math.max(1, isWaypoint[i] ? i - 1 : i);
      }
      rounded.push(point);
    }
  }
  return rounded;
}

/** Distance from a corner to the ends of its arc, in cells. */
function tangentLength(turn: number, radiusCells: number): number {
  return radiusCells * Math.tan(Math.min(turn, Math.PI * 0.999) / 2);
}

/** Points that replace corner b; only b if the course changes by at most one step. */
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

/**
 * Searches another path for the line up to `radii` turning radii before and after a corner, between
 * the neighbouring waypoints.
 */
function* replaceAround<S>(
  line: Line,
  corner: number,
  radii: number,
  options: ArcOptions<S>,
): Generator<S, Line | undefined> {
  const { points, isWaypoint } = line;
  const shape = shapeAt(options, points[corner]!.y);
  const from = alongFrom(line, corner, -1, radii * shape.radius);
  const to = alongFrom(line, corner, 1, radii * shape.radius);
  const start: Pose = { ...from.point, heading: headingOf(from.point, points[from.inner]!) };
  const end: Pose = { ...to.point, heading: headingOf(points[to.inner]!, to.point) };
  const corners = yield* steer(start, end, shape, options);
  if (corners === undefined) return undefined;
  const first = from.inner - (from.isPoint ? 1 : 0);
  const rest = to.inner + 1 + (to.isPoint ? 1 : 0);
  return {
    points: [...points.slice(0, first), from.point, ...corners, ...points.slice(rest)],
    isWaypoint: [
      ...isWaypoint.slice(0, first),
      from.isPoint && isWaypoint[from.inner - 1]!,
      ...corners.slice(1).map(() => false),
      to.isPoint && isWaypoint[to.inner + 1]!,
      ...isWaypoint.slice(rest),
    ],
  };
}

/**
 * The place at distance `reach` before or after a corner, or a waypoint or end of the line that is
 * nearer. `inner`: index of the adjacent point on the side of the corner. `isPoint`: whether the place
 * is a point of the line.
 */
function alongFrom(
  { points, isWaypoint }: Line,
  corner: number,
  direction: 1 | -1,
  reach: number,
): { readonly point: Point; readonly inner: number; readonly isPoint: boolean } {
  let left = reach;
  let i = corner;
  for (;;) {
    const here = points[i]!;
    const there = points[i + direction];
    if (there === undefined || isWaypoint[i]) {
      return { point: here, inner: i - direction, isPoint: true };
    }
    const length = Math.hypot(there.x - here.x, there.y - here.y);
    if (length > left) {
      const part = left / length;
      const point = {
        x: here.x + (there.x - here.x) * part,
        y: here.y + (there.y - here.y) * part,
      };
      return { point, inner: i, isPoint: false };
    }
    left -= length;
    i += direction;
  }
}
