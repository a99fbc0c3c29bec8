// The exact edges of a square in a grid of buckets, so that the edges near a line are found
// quickly. It does not depend on the trip, so it is kept as long as the square itself.

import type { Hazards, SeaGround } from '../../sea.ts';
import type { Corridor } from '../geometry/corridor.ts';
import { cellsOf, type Point, WORLD_CELLS, WORLD_LEVEL } from '../geometry/plane.ts';
import { isUnsafe, type Needs } from '../read/needs.ts';

/** Maximum number of buckets along a side; fewer if there are few edges. */
const MOST_BUCKETS = 64;
const EDGES_PER_BUCKET_ROW = 8;

interface HazardGrid {
  readonly hazards: Hazards;
  /** Corner and width of the square, in cells of the plane. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly side: number;
  /** Ends of the edges, and the radius around the edges, in cells of the plane. */
  readonly ends: Float64Array;
  readonly radius: Float64Array;
  /** Edges of bucket i: `items` from `starts[i]` up to `starts[i + 1]`. */
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

const kept = new WeakMap<SeaGround, HazardGrid>();

export function hazardGridOf(square: SeaGround): HazardGrid {
  let grid = kept.get(square);
  if (grid === undefined) {
    grid = buildGrid(square);
    kept.set(square, grid);
  }
  return grid;
}

function buildGrid({ zoom, x, y, hazards }: SeaGround): HazardGrid {
  const width = 2 ** (WORLD_LEVEL - zoom);
  const { count } = hazards;
  let side = 1;
  while (side < MOST_BUCKETS && side * EDGES_PER_BUCKET_ROW < count) side *= 2;
  const ends = new Float64Array(count * 4);
  for (let i = 0; i < count * 4; i++) ends[i] = hazards.ends[i]! * WORLD_CELLS;
  const radius = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const meters = hazards.radius[i]!;
    if (meters === 0) continue;
    const [ay, by] = [ends[4 * i + 1]!, ends[4 * i + 3]!];
    radius[i] = Math.max(cellsOf(meters, ay), cellsOf(meters, by));
  }
  const frame = { left: x * width, top: y * width, width, side };
  const starts = new Uint32Array(side * side + 1);
  const bucketsOf = (i: number, visit: (bucket: number) => void) => {
    const around = {
      ax: ends[4 * i]!,
      ay: ends[4 * i + 1]!,
      bx: ends[4 * i + 2]!,
      by: ends[4 * i + 3]!,
      halfWidth: radius[i]!,
    };
    const last = lastRow(frame, around);
    for (let row = firstRow(frame, around); row <= last; row++) {
      const { from, to } = spanOfRow(frame, row, around);
      for (let bucket = from; bucket <= to; bucket++) visit(bucket);
    }
  };
  for (let i = 0; i < count; i++) {
    bucketsOf(i, (bucket) => {
      starts[bucket + 1]!++;
    });
  }
  for (let i = 0; i < side * side; i++) starts[i + 1]! += starts[i]!;
  const items = new Uint32Array(starts[side * side]!);
  const next = starts.slice();
  for (let i = 0; i < count; i++) {
    bucketsOf(i, (bucket) => {
      items[next[bucket]!++] = i;
    });
  }
  return { hazards, ...frame, ends, radius, starts, items };
}

type Frame = Pick<HazardGrid, 'left' | 'top' | 'width' | 'side'>;

/**
 * Buckets of one row that a corridor touches: `from` to `to`, inclusive. Empty if `from` > `to`.
 */
function spanOfRow(
  { left, top, width, side }: Frame,
  row: number,
  { ax, ay, bx, by, halfWidth }: Corridor,
): { readonly from: number; readonly to: number } {
  const bucket = width / side;
  const dy = by - ay;
  let t0 = 0;
  let t1 = 1;
  if (dy !== 0) {
    const tTop = (top + row * bucket - halfWidth - ay) / dy;
    const tBottom = (top + (row + 1) * bucket + halfWidth - ay) / dy;
    t0 = Math.max(0, Math.min(tTop, tBottom));
    t1 = Math.min(1, Math.max(tTop, tBottom));
  }
  const xa = ax - left + t0 * (bx - ax);
  const xb = ax - left + t1 * (bx - ax);
  const from = row * side + Math.max(0, Math.floor((Math.min(xa, xb) - halfWidth) / bucket));
  const to = row * side + Math.min(side - 1, Math.floor((Math.max(xa, xb) + halfWidth) / bucket));
  return { from, to: t0 > t1 ? from - 1 : to };
}

function firstRow({ top, width, side }: Frame, { ay, by, halfWidth }: Corridor): number {
  return Math.max(0, Math.floor(((Math.min(ay, by) - halfWidth - top) * side) / width));
}

function lastRow({ top, width, side }: Frame, { ay, by, halfWidth }: Corridor): number {
  return Math.min(side - 1, Math.floor(((Math.max(ay, by) + halfWidth - top) * side) / width));
}

/** The first unsafe edge inside a corridor, or −1. x must be near that of the square. */
export function unsafeWithin(grid: HazardGrid, needs: Needs, corridor: Corridor): number {
  const { radius, starts, items, hazards } = grid;
  if (items.length === 0) return -1;
  const last = lastRow(grid, corridor);
  for (let row = firstRow(grid, corridor); row <= last; row++) {
    const { from, to } = spanOfRow(grid, row, corridor);
    if (from > to) continue;
    const end = starts[to + 1]!;
    for (let k = starts[from]!; k < end; k++) {
      const i = items[k]!;
      const reach = corridor.halfWidth + radius[i]!;
      const distance = squaredDistance(corridor, grid.ends, i, reach);
      if (distance < reach * reach && isUnsafe(hazards, i, needs)) return i;
    }
  }
  return -1;
}

/** Squared distance of a line and an edge; infinite if their boxes are more than `reach` apart. */
function squaredDistance(
  { ax, ay, bx, by }: Corridor,
  ends: Float64Array,
  edge: number,
  reach: number,
): number {
  const cx = ends[4 * edge]!;
  const cy = ends[4 * edge + 1]!;
  const dx = ends[4 * edge + 2]!;
  const dy = ends[4 * edge + 3]!;
  if (Math.min(cx, dx) - Math.max(ax, bx) > reach) return Number.POSITIVE_INFINITY;
  if (Math.min(ax, bx) - Math.max(cx, dx) > reach) return Number.POSITIVE_INFINITY;
  if (Math.min(cy, dy) - Math.max(ay, by) > reach) return Number.POSITIVE_INFINITY;
  if (Math.min(ay, by) - Math.max(cy, dy) > reach) return Number.POSITIVE_INFINITY;
  const abx = bx - ax;
  const aby = by - ay;
  const cdx = dx - cx;
  const cdy = dy - cy;
  const sideC = abx * (cy - ay) - aby * (cx - ax);
  const sideD = abx * (dy - ay) - aby * (dx - ax);
  const sideA = cdx * (ay - cy) - cdy * (ax - cx);
  const sideB = cdx * (by - cy) - cdy * (bx - cx);
  if (
    ((sideC > 0 && sideD < 0) || (sideC < 0 && sideD > 0)) &&
    ((sideA > 0 && sideB < 0) || (sideA < 0 && sideB > 0))
  ) {
    return 0;
  }
  return Math.min(
    squaredDistanceToSegment(cx, cy, ax, ay, abx, aby),
    squaredDistanceToSegment(dx, dy, ax, ay, abx, aby),
    squaredDistanceToSegment(ax, ay, cx, cy, cdx, cdy),
    squaredDistanceToSegment(bx, by, cx, cy, cdx, cdy),
  );
}

/**
 * Squared distance of a point from the segment that starts at s and ends at s + d. It takes plain
 * numbers because it is called up to four times for every edge near a line.
 */
export function squaredDistanceToSegment(
  px: number,
  py: number,
  sx: number,
  sy: number,
  dx: number,
  dy: number,
): number {
  const length = dx * dx + dy * dy;
  let t = length === 0 ? 0 : ((px - sx) * dx + (py - sy) * dy) / length;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const ex = px - sx - t * dx;
  const ey = py - sy - t * dy;
  return ex * ex + ey * ey;
}

/** The unsafe edge nearest to a point and its distance in cells, if nearer than `within`. */
export function nearestUnsafe(
  grid: HazardGrid,
  needs: Needs,
  { x, y }: Point,
  within: number,
): { readonly edge: number; readonly distance: number } | undefined {
  const { ends, radius, starts, items, hazards } = grid;
  if (items.length === 0) return undefined;
  let edge = -1;
  let distance = within;
  const around = { ax: x, ay: y, bx: x, by: y, halfWidth: within };
  const last = lastRow(grid, around);
  for (let row = firstRow(grid, around); row <= last; row++) {
    const { from, to } = spanOfRow(grid, row, around);
    if (from > to) continue;
    const end = starts[to + 1]!;
    for (let k = starts[from]!; k < end; k++) {
      const i = items[k]!;
      const cx = ends[4 * i]!;
      const cy = ends[4 * i + 1]!;
      const away = squaredDistanceToSegment(
        x,
        y,
        cx,
        cy,
        ends[4 * i + 2]! - cx,
        ends[4 * i + 3]! - cy,
      );
      const reach = distance + radius[i]!;
      if (away < reach * reach && isUnsafe(hazards, i, needs)) {
        edge = i;
        distance = Math.max(0, Math.sqrt(away) - radius[i]!);
      }
    }
  }
  return edge < 0 ? undefined : { edge, distance };
}
