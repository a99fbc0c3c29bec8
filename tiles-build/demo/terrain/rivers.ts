// Cuts rivers and estuaries into the ground: a channel that swings between drying flats, the banks,
// and the sides of the valley.

import type { River } from './landforms.ts';
import { splineThrough } from './spline.ts';

/** Number of points inserted between two points of a river's table. */
const STEPS = 6;
/** Kilometres from the banks to which the valley of a river extends. */
const VALLEY = 1.6;
/** Metres per kilometre: gradient of the sides of a valley. */
const VALLEY_SIDE = 75;
/** Maximum distance of the channel from the axis, as a fraction of the half width. */
const SWING = 0.5;
/** Heights of the flats next to the channel and at the banks, metres. */
const FLATS = { beside: 0.3, atBanks: 1.45 } as const;

/** The axis of a river as a smooth path. */
export interface Course {
  readonly river: River;
  readonly east: Float64Array;
  readonly north: Float64Array;
  readonly halfWidth: Float64Array;
  readonly box: readonly [west: number, south: number, east: number, north: number];
}

/** A position relative to a river. */
export interface Beside {
  /** From 0 at the mouth to 1 at the head. */
  readonly along: number;
  /** Kilometres from the axis; negative to the left in the inland direction. */
  readonly across: number;
  readonly halfWidth: number;
}

/** The smooth path through the points of a river's table. */
export function courseOf(river: River): Course {
  const points = splineThrough(river.path, STEPS);
  const smooth = (axis: 0 | 1 | 2) => Float64Array.from(points, (point) => point[axis]);
  const [east, north, halfWidth] = [smooth(0), smooth(1), smooth(2)];
  const reach = VALLEY + Math.max(...halfWidth);
  return {
    river,
    east,
    north,
    halfWidth,
    box: [
      Math.min(...east) - reach,
      Math.min(...north) - reach,
      Math.max(...east) + reach,
      Math.max(...north) + reach,
    ],
  };
}

/** A position relative to a river; `undefined` if it is too far away to matter. */
export function nearestOn(course: Course, e: number, n: number): Beside | undefined {
  const { east, north, halfWidth, box } = course;
  if (e < box[0] || n < box[1] || e > box[2] || n > box[3]) return undefined;
  let least = Number.POSITIVE_INFINITY;
  let [at, share, isLeft] = [0, 0, false];
  for (let i = 1; i < east.length; i++) {
    const ax = east[i - 1]!;
    const ay = north[i - 1]!;
    const dx = east[i]! - ax;
    const dy = north[i]! - ay;
    const t = Math.min(1, Math.max(0, ((e - ax) * dx + (n - ay) * dy) / (dx * dx + dy * dy)));
    const x = e - ax - t * dx;
    const y = n - ay - t * dy;
    const squared = x * x + y * y;
    if (squared >= least) continue;
    least = squared;
    at = i - 1;
    share = t;
    isLeft = dx * y - dy * x > 0;
  }
  const half = halfWidth[at]! + (halfWidth[at + 1]! - halfWidth[at]!) * share;
  const distance = Math.sqrt(least);
  if (distance - half > VALLEY) return undefined;
  return {
    along: (at + share) / (east.length - 1),
    across: isLeft ? -distance : distance,
    halfWidth: half,
  };
}

/** Distance of the channel from the axis, as a fraction of the half width. */
const channelAt = ({ river }: Course, along: number) =>
  SWING * Math.sin(2 * Math.PI * river.swings * along);

/** Height of a river's bed and valley, metres above chart datum. */
export function bedAt(course: Course, { along, across, halfWidth }: Beside): number {
  const [mouth, head] = course.river.depths;
  const depth = mouth + (head - mouth) * along;
  const fromMiddle = across / halfWidth;
  const fromChannel = Math.abs(fromMiddle - channelAt(course, along));
  const beyond = Math.abs(across) - halfWidth;
  const rise = FLATS.atBanks - FLATS.beside;
  const flats = FLATS.beside + rise * ease(Math.min(1, Math.abs(fromMiddle)));
  const channel = (depth + FLATS.beside) * (1 - ease((fromChannel - 0.06) / 0.3));
  const side = beyond > 0 ? 1.1 * ease(beyond / 0.04) + VALLEY_SIDE * beyond : 0;
  return flats - channel + side;
}

function ease(value: number): number {
  const t = Math.min(1, Math.max(0, value));
  return t * t * (3 - 2 * t);
}

/**
 * A position in a river, in kilometres.
 * @param along from 0 at the mouth to 1 at the head
 * @param offset half widths from the channel; negative to the left in the inland direction
 */
export function inChannel(
  course: Course,
  along: number,
  offset: number,
): [east: number, north: number] {
  const { east, north, halfWidth } = course;
  const k = along * (east.length - 1);
  const i = Math.min(east.length - 2, Math.floor(k));
  const [dx, dy] = [east[i + 1]! - east[i]!, north[i + 1]! - north[i]!];
  const length = Math.hypot(dx, dy);
  const half = halfWidth[i]! + (halfWidth[i + 1]! - halfWidth[i]!) * (k - i);
  const off = (half * (channelAt(course, along) + offset)) / length;
  return [east[i]! + dx * (k - i) + dy * off, north[i]! + dy * (k - i) - dx * off];
}
