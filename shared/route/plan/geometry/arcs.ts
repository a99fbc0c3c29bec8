// Arcs as circumscribed polygons: all corners turn by the same angle, and the sides touch the arc.
// A pose is a place and a heading, in radians clockwise from east on the plane (y runs south).

import type { Point } from './plane.ts';

export interface Pose extends Point {
  readonly heading: number;
}

/** The shape of arcs on the plane. */
export interface ArcShape {
  /** Cells. */
  readonly radius: number;
  /** Maximum turn at a corner of the polygon, radians. */
  readonly step: number;
}

const FULL_TURN = 2 * Math.PI;
/** Turns smaller than this are rounding errors. */
const LEAST_TURN = 1e-7;

/** Course change at b, radians, 0 to π. */
export function turnAt(a: Point, b: Point, c: Point): number {
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const vx = c.x - b.x;
  const vy = c.y - b.y;
  return Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
}

export function headingOf(a: Point, b: Point): number {
  return Math.atan2(b.y - a.y, b.x - a.x);
}

/** The pose after sailing straight ahead. */
export function ahead({ x, y, heading }: Pose, distance: number): Pose {
  return { x: x + distance * Math.cos(heading), y: y + distance * Math.sin(heading), heading };
}

/**
 * Sails an arc from a pose and adds the corners of the polygon around it to `corners`.
 *
 * @param side 1 turns to the right on a map, −1 to the left
 * @returns the pose at the end of the arc
 */
export function sailArc(
  pose: Pose,
  side: number,
  turn: number,
  { radius, step }: ArcShape,
  corners: Point[],
): Pose {
  if (turn < LEAST_TURN) return pose;
  const count = Math.ceil(turn / step - 1e-9);
  const part = turn / count;
  const half = radius * Math.tan(part / 2);
  let at = pose;
  for (let i = 0; i < count; i++) {
    const corner = ahead(at, half);
    corners.push({ x: corner.x, y: corner.y });
    at = ahead({ ...corner, heading: at.heading + side * part }, half);
  }
  return at;
}

/**
 * The paths of Dubins (1957) with an arc, a straight line and an arc, shortest first. Each is given
 * as the corners between the two poses, and the end.
 */
export function arcsBetween(from: Pose, to: Pose, shape: ArcShape): Point[][] {
  const paths: { readonly corners: Point[]; readonly length: number }[] = [];
  for (const first of [1, -1]) {
    for (const second of [1, -1]) {
      const path = arcLineArc(from, to, shape, first, second);
      if (path !== undefined) paths.push(path);
    }
  }
  return paths.sort((a, b) => a.length - b.length).map(({ corners }) => corners);
}

function arcLineArc(
  from: Pose,
  to: Pose,
  shape: ArcShape,
  first: number,
  second: number,
): { readonly corners: Point[]; readonly length: number } | undefined {
  const { radius } = shape;
  const a = centerOf(from, first, radius);
  const b = centerOf(to, second, radius);
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const apart = Math.hypot(dx, dy);
  const across = first === second ? 0 : 2 * radius;
  if (apart < across) return undefined;
  const straight = Math.sqrt(apart * apart - across * across);
  const heading = Math.atan2(dy, dx) + (across === 0 ? 0 : Math.atan2(first * across, straight));
  const turnIn = wrapTurn(first * (heading - from.heading));
  const turnOut = wrapTurn(second * (to.heading - heading));
  const corners: Point[] = [];
  const left = sailArc(from, first, turnIn, shape, corners);
  sailArc(ahead(left, straight), second, turnOut, shape, corners);
  corners.push({ x: to.x, y: to.y });
  return { corners, length: radius * (turnIn + turnOut) + straight };
}

function centerOf({ x, y, heading }: Pose, side: number, radius: number): Point {
  return {
    x: x - side * radius * Math.sin(heading),
    y: y + side * radius * Math.cos(heading),
  };
}

function wrapTurn(turn: number): number {
  const wrapped = ((turn % FULL_TURN) + FULL_TURN) % FULL_TURN;
  return wrapped > FULL_TURN - LEAST_TURN ? 0 : wrapped;
}
