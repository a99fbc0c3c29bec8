// The chart notices that a line meets: restrictions to quote, and objects that no rule covers.

import type { Flat } from '../../../geo/clip-box.ts';
import { isPointInRing } from '../../../geo/ring.ts';
import { entryAt, partOf } from '../../cell-table.ts';
import { HAZARD_GRID } from '../../hazard-codec.ts';
import { type Notice, SEA_FLAGS } from '../../sea.ts';
import { corridorOf, type Span, spanWithin, touchesBlock } from '../geometry/corridor.ts';
import { cellsOf, type Point, unwrapNear, WORLD_CELLS } from '../geometry/plane.ts';
import { rootsAlong } from '../read/survey.ts';
import { indexIn, TOP_LEVEL, type View, type Water } from '../read/water.ts';
import { squaredDistanceToSegment } from '../sight/hazard-grid.ts';

/** Zoom of the squares that keep notices. */
const NOTICE_ZOOM = 8;
const UNITS_PER_CELL = HAZARD_GRID / WORLD_CELLS;
const WHOLE: Span = [0, 1];

export interface MetNotice {
  readonly notice: Notice;
  /** The first place where the line meets it. */
  readonly at: Point;
}

/**
 * Notices whose area the line touches, or whose lines or points are within their radius plus the
 * lateral clearance of the line. A point is a line with both ends in one place.
 *
 * @throws MissingSquare if a square is not present yet
 */
export function noticesAlong(water: Water, a: Point, b: Point): MetNotice[] {
  const met: MetNotice[] = [];
  const seen = new Set<View>();
  const { lateralMeters } = water.needs;
  const clearance = Math.max(cellsOf(lateralMeters, a.y), cellsOf(lateralMeters, b.y));
  const corridor = corridorOf(a, b, clearance);
  const visit = (view: View, level: number, x: number, y: number): void => {
    const size = 1 << level;
    if (!touchesBlock(corridor, x * size, y * size, size)) return;
    const { square, cells, cellLevel } = view;
    const above = level - cellLevel;
    const i = indexIn(view, above, level, x & (WORLD_CELLS / size - 1), y);
    if ((cells.anyFlags[entryAt(cells, above, i)]! & SEA_FLAGS.noticed) === 0) return;
    if (square.zoom === NOTICE_ZOOM) {
      if (!seen.has(view)) collect(view);
      seen.add(view);
      return;
    }
    const part = partOf(i, square.width);
    if (above === 0 && square.hasFiner[part] !== 1) return;
    const below = above === 0 ? water.finerAt(view, part) : view;
    for (let k = 0; k < 4; k++) visit(below, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1));
  };
  const collect = ({ square }: View): void => {
    const size = WORLD_CELLS / 2 ** square.zoom;
    const middle = (square.x + 0.5) * size;
    const shift = unwrapNear(middle, (a.x + b.x) / 2) - middle;
    const frame = { left: square.x * size + shift, top: square.y * size, size };
    const inSquare = spanWithin(a, b, frame);
    for (const notice of square.notices ?? []) {
      // A line or point may be within the clearance of a part of the line outside its square.
      const span = notice.shape === 'area' ? inSquare : WHOLE;
      if (span === undefined) continue;
      const distance =
        notice.shape === 'area' ? 0 : cellsOf(notice.radius + lateralMeters, (a.y + b.y) / 2);
      const t = firstMeeting(notice, a, b, span, distance * UNITS_PER_CELL, shift);
      if (t !== undefined) met.push({ notice, at: between(a, b, t) });
    }
  };
  for (const [x, y] of rootsAlong(a, b, clearance)) visit(water.rootAt(x & 3, y), TOP_LEVEL, x, y);
  return met;
}

function between(a: Point, b: Point, t: number): Point {
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

/**
 * First place, from 0 to 1, where a line meets a notice; `undefined` if none is within the span.
 */
function firstMeeting(
  { shape, paths }: Notice,
  a: Point,
  b: Point,
  [from, to]: Span,
  distance: number,
  shift: number,
): number | undefined {
  const start = onGrid(between(a, b, from), shift);
  const end = onGrid(between(a, b, to), shift);
  const isIn =
    shape === 'area' &&
    paths.reduce((inside, ring) => inside !== isPointInRing(start.x, start.y, ring), false);
  if (isIn) return from;
  let first = Number.POSITIVE_INFINITY;
  for (const path of paths) {
    for (const [p, q] of segmentsOf(path, shape === 'area')) {
      first = Math.min(first, meetingOf(start, end, p, q, distance));
    }
  }
  return first === Number.POSITIVE_INFINITY ? undefined : from + (to - from) * first;
}

function onGrid({ x, y }: Point, shift: number): Point {
  return { x: (x - shift) * UNITS_PER_CELL, y: y * UNITS_PER_CELL };
}

function* segmentsOf(path: Flat, isRing: boolean): Generator<readonly [Point, Point]> {
  const count = path.length / 2;
  const point = (i: number): Point => ({ x: path[2 * i]!, y: path[2 * i + 1]! });
  if (count === 1) yield [point(0), point(0)];
  const last = isRing ? count : count - 1;
  for (let i = 0; i < last && count > 1; i++) yield [point(i), point((i + 1) % count)];
}

/**
 * First place, from 0 to 1, where a line is within `distance` of a segment; infinite if nowhere.
 */
function meetingOf(a: Point, b: Point, p: Point, q: Point, distance: number): number {
  const reach = distance + 1;
  if (Math.max(p.x, q.x) < Math.min(a.x, b.x) - reach) return Number.POSITIVE_INFINITY;
  if (Math.min(p.x, q.x) > Math.max(a.x, b.x) + reach) return Number.POSITIVE_INFINITY;
  if (Math.max(p.y, q.y) < Math.min(a.y, b.y) - reach) return Number.POSITIVE_INFINITY;
  if (Math.min(p.y, q.y) > Math.max(a.y, b.y) + reach) return Number.POSITIVE_INFINITY;
  const [dx, dy, ex, ey] = [b.x - a.x, b.y - a.y, q.x - p.x, q.y - p.y];
  const cross = dx * ey - dy * ex;
  if (cross !== 0) {
    const t = ((p.x - a.x) * ey - (p.y - a.y) * ex) / cross;
    const s = ((p.x - a.x) * dy - (p.y - a.y) * dx) / cross;
    if (t >= 0 && t <= 1 && s >= 0 && s <= 1) return t;
  }
  const within = (squared: number) => squared <= distance * distance;
  const length = dx * dx + dy * dy;
  const along = ({ x, y }: Point) =>
    length === 0 ? 0 : Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length));
  if (within(squaredDistanceToSegment(a.x, a.y, p.x, p.y, ex, ey))) return 0;
  if (within(squaredDistanceToSegment(p.x, p.y, a.x, a.y, dx, dy))) return along(p);
  if (within(squaredDistanceToSegment(q.x, q.y, a.x, a.y, dx, dy))) return along(q);
  return within(squaredDistanceToSegment(b.x, b.y, p.x, p.y, ex, ey))
    ? 1
    : Number.POSITIVE_INFINITY;
}
