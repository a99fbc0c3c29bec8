// The plane of the planner: Web Mercator, in cells of the finest squares. x runs east and is
// unbounded (it wraps), y runs south. Straight lines on it are lines of constant course.

import { EARTH_RADIUS_METERS } from '../../../geo/earth.ts';
import { geodesicMeters } from '../../../geo/geodesic.ts';
import { latitudeAt, longitudeAt, mercatorX, mercatorY } from '../../../geo/mercator.ts';
import { SEA_ZOOMS, SQUARE_CELLS } from '../../sea.ts';
import type { Position } from '../../trip.ts';

/** A node of level k is 2^k cells wide; a stored square of zoom z is a node of level 22 − z. */
export const WORLD_LEVEL = Math.log2(SQUARE_CELLS) + SEA_ZOOMS[SEA_ZOOMS.length - 1]!;
/** Cells around the world. */
export const WORLD_CELLS = 2 ** WORLD_LEVEL;

/** Polar radius, the smallest one, so that a clearance in metres is never too small in cells. */
const LEAST_RADIUS_METERS = 6_356_752;
const TURN = 2 * Math.PI;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function pointOf([longitude, latitude]: Position): Point {
  return { x: mercatorX(longitude) * WORLD_CELLS, y: mercatorY(latitude) * WORLD_CELLS };
}

/** Consecutive positions, each on the copy of the world that is nearest to the previous one. */
export function pathOf(positions: readonly Position[]): Point[] {
  const points: Point[] = [];
  for (const position of positions) {
    const { x, y } = pointOf(position);
    points.push({ x: unwrapNear(x, points.at(-1)?.x ?? x), y });
  }
  return points;
}

/** The longitude is from −180 up to 180. */
export function positionOf({ x, y }: Point): Position {
  const longitude = longitudeAt(x / WORLD_CELLS);
  const wrapped = longitude - 360 * Math.floor((longitude + 180) / 360);
  // The eastern side of the 180th meridian is distinct from the western side.
  return [wrapped === -180 && longitude > 0 ? 180 : wrapped, latitudeAt(y / WORLD_CELLS)];
}

/** Cosine of the latitude at a height of the plane. */
export function cosineAt(y: number): number {
  return 1 / Math.cosh(TURN * (0.5 - y / WORLD_CELLS));
}

/** Upper bound of the number of cells for a length on the ground at height y. */
export function cellsOf(meters: number, y: number): number {
  return (meters * WORLD_CELLS) / (TURN * LEAST_RADIUS_METERS * cosineAt(y));
}

/** Metres on the ground of one cell at height y, on the sphere. */
export function metersPerCell(y: number): number {
  return (TURN * EARTH_RADIUS_METERS * cosineAt(y)) / WORLD_CELLS;
}

/** The copy of x that is nearest to another x: the shorter way around the world. */
export function unwrapNear(x: number, near: number): number {
  return x + WORLD_CELLS * Math.round((near - x) / WORLD_CELLS);
}

/** Angle between two points at the centre of the earth, radians. */
function arcBetween(a: Point, b: Point): number {
  const phiA = latitudeRadians(a.y);
  const phiB = latitudeRadians(b.y);
  const half =
    Math.sin((phiB - phiA) / 2) ** 2 +
    Math.cos(phiA) * Math.cos(phiB) * Math.sin(((b.x - a.x) * Math.PI) / WORLD_CELLS) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Length of the great circle, metres. */
export function greatCircleMeters(a: Point, b: Point): number {
  return EARTH_RADIUS_METERS * arcBetween(a, b);
}

/** Length of a line of constant course on the sphere, metres. */
function rhumbMeters(a: Point, b: Point): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const onPlane = Math.hypot(dx, dy);
  if (onPlane === 0) return 0;
  const dPhi = latitudeRadians(b.y) - latitudeRadians(a.y);
  // Along a parallel the quotient would be 0 / 0.
  const scale =
    Math.abs(dy) < 1e-3
      ? cosineAt((a.y + b.y) / 2)
      : (Math.abs(dPhi) * WORLD_CELLS) / (TURN * Math.abs(dy));
  return (TURN * EARTH_RADIUS_METERS * scale * onPlane) / WORLD_CELLS;
}

/**
 * Length of a line of constant course on the ellipsoid, metres: the geodesic, multiplied by the
 * ratio of the line to the great circle on the sphere.
 */
export function legMeters(a: Point, b: Point): number {
  const circle = greatCircleMeters(a, b);
  if (circle === 0) return 0;
  const from = positionOf(a);
  const to = positionOf(b);
  return (geodesicMeters(from[0], from[1], to[0], to[1]) * rhumbMeters(a, b)) / circle;
}

/** Course from a to b in degrees true, 0 up to 360. */
export function courseDegrees(a: Point, b: Point): number {
  const degrees = (Math.atan2(b.x - a.x, a.y - b.y) * 360) / TURN;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** Maximum length of a piece of a great circle, because each piece is drawn as a straight line. */
const LONGEST_PIECE_RADIANS = 0.05;
/** Places this close to antipodal have no unique great circle. */
const OPPOSITE_RADIANS = 1e-6;

/**
 * Height on the plane for the sine of a latitude. The poles have no finite height and are clamped.
 */
function heightOf(sine: number): number {
  const within = Math.max(-MOST_SINE, Math.min(MOST_SINE, sine));
  const y = (0.5 - Math.atanh(within) / TURN) * WORLD_CELLS;
  return Math.max(0, Math.min(WORLD_CELLS, y));
}
const MOST_SINE = Math.tanh(Math.PI);

/**
 * Points along the great circle from a to b, without a, with b; x stays unwrapped. A great circle
 * over a pole follows the end of the plane there.
 */
export function greatCircle(a: Point, b: Point): Point[] {
  const arc = arcBetween(a, b);
  if (arc <= LONGEST_PIECE_RADIANS) return [b];
  if (Math.PI - arc < OPPOSITE_RADIANS) {
    // All ways have the same length. This one crosses the equator a quarter of the globe away.
    const quarter = WORLD_CELLS / 4;
    const middle = { x: a.x + (b.x < a.x ? -quarter : quarter), y: WORLD_CELLS / 2 };
    return [...greatCircle(a, middle), ...greatCircle(middle, b)];
  }
  const count = Math.ceil(arc / LONGEST_PIECE_RADIANS);
  const from = unitVector(a);
  const to = unitVector(b);
  const points: Point[] = [];
  let before = a.x;
  for (let i = 1; i < count; i++) {
    const near = Math.sin((1 - i / count) * arc) / Math.sin(arc);
    const far = Math.sin((i / count) * arc) / Math.sin(arc);
    const vx = near * from[0] + far * to[0];
    const vy = near * from[1] + far * to[1];
    const vz = near * from[2] + far * to[2];
    const longitude = Math.atan2(vy, vx);
    const x = unwrapNear((longitude / TURN + 0.5) * WORLD_CELLS, before);
    points.push({ x, y: heightOf(vz) });
    before = x;
  }
  points.push(b);
  return points;
}

type Vector = readonly [number, number, number];

/** Unit vector from the centre of the earth: x points to the Gulf of Guinea, z to the pole. */
export function unitVector({ x, y }: Point): Vector {
  const psi = TURN * (0.5 - y / WORLD_CELLS);
  const cosine = 1 / Math.cosh(psi);
  const longitude = TURN * (x / WORLD_CELLS - 0.5);
  return [cosine * Math.cos(longitude), cosine * Math.sin(longitude), Math.tanh(psi)];
}

function latitudeRadians(y: number): number {
  return Math.atan(Math.sinh(TURN * (0.5 - y / WORLD_CELLS)));
}
