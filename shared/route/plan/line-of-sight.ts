// Whether a straight line of the plane stays in free water: by the cells alone, with room on both
// sides, and where these are too coarse to tell, by the exact edges.

import type { HazardFeature } from '../sea.ts';
import { BLOCKED, FREE } from './block-class.ts';
import type { Detail } from './detail.ts';
import { hazardGridOf, nearestUnsafe, toSegment, unsafeNear } from './hazard-grid.ts';
import { cellsOf, type Point, unwrapNear, WORLD_CELLS } from './plane.ts';
import { TOP_LEVEL, type View, type Water } from './water.ts';

/** Squares that a trip may have looked into before the last check reads no more than it must. */
const MOST_SQUARES_TO_CHECK = 250;
/** A finest square is this many bits of cells wide. */
const CELL_BITS = 8;
/** Cells of room for lines that run exactly along a border: both sides count. */
const TOUCH_CELLS = 1e-6;

export class LineOfSight {
  readonly water: Water;
  readonly detail: Detail;
  /** Exact checks done, for figures. */
  exactChecks = 0;
  #ax = 0;
  #ay = 0;
  #dx = 0;
  #dy = 0;
  #room = 0;
  #readNear: Detail | undefined;

  constructor(water: Water, detail: Detail) {
    this.water = water;
    this.detail = detail;
  }

  /** Cells that the lateral clearance takes at most along a line. */
  roomOf(ay: number, by: number): number {
    const { lateralMeters } = this.water.needs;
    if (lateralMeters === 0) return TOUCH_CELLS;
    return Math.max(cellsOf(lateralMeters, ay), cellsOf(lateralMeters, by)) + TOUCH_CELLS;
  }

  /** Whether the line may be sailed. */
  isClear(ax: number, ay: number, bx: number, by: number): boolean {
    const room = this.roomOf(ay, by);
    if (this.isFree(ax, ay, bx, by, room)) return true;
    if (!this.detail.isExactAt(ax, ay) || !this.detail.isExactAt(bx, by)) return false;
    return this.isFree(ax, ay, bx, by, TOUCH_CELLS) && !this.meetsUnsafe(ax, ay, bx, by);
  }

  /** Whether every block that comes nearer to the line than `room` cells is free. */
  isFree(ax: number, ay: number, bx: number, by: number, room: number): boolean {
    this.#ax = ax;
    this.#ay = ay;
    this.#dx = bx - ax;
    this.#dy = by - ay;
    this.#room = room;
    const width = Math.max(Math.abs(this.#dx), Math.abs(this.#dy)) + 2 * room;
    const level = Math.min(TOP_LEVEL, Math.max(0, Math.ceil(Math.log2(width))));
    const size = 1 << level;
    const right = Math.floor((Math.max(ax, bx) + room) / size);
    const bottom = Math.floor((Math.max(ay, by) + room) / size);
    for (let y = Math.floor((Math.min(ay, by) - room) / size); y <= bottom; y++) {
      for (let x = Math.floor((Math.min(ax, bx) - room) / size); x <= right; x++) {
        if (!this.#isFreeIn(level, x, y, 0)) return false;
      }
    }
    return true;
  }

  /** As isFree for the part inside a block, going no finer than `finest`. */
  #isFreeIn(level: number, x: number, y: number, finest: number): boolean {
    const size = 1 << level;
    const half = size / 2 + this.#room;
    const cx = this.#ax + this.#dx / 2 - (x + 0.5) * size;
    const cy = this.#ay + this.#dy / 2 - (y + 0.5) * size;
    const dx = Math.abs(this.#dx);
    const dy = Math.abs(this.#dy);
    if (Math.abs(cx) > half + dx / 2 || Math.abs(cy) > half + dy / 2) return true;
    if (Math.abs(cx * this.#dy - cy * this.#dx) > half * (dx + dy)) return true;
    const kind = this.water.classOf(level, x, y);
    if (kind === FREE) return true;
    if (kind === BLOCKED || level <= finest || !this.detail.mayDivide(level, x, y)) return false;
    return (
      this.#isFreeIn(level - 1, 2 * x, 2 * y, finest) &&
      this.#isFreeIn(level - 1, 2 * x + 1, 2 * y, finest) &&
      this.#isFreeIn(level - 1, 2 * x, 2 * y + 1, finest) &&
      this.#isFreeIn(level - 1, 2 * x + 1, 2 * y + 1, finest)
    );
  }

  /**
   * Cells from a point to the nearest unsafe edge, `within` at most. A lower bound where several
   * squares would have to be asked: the clearance, if it is kept, or else less.
   */
  distanceToUnsafe(x: number, y: number, within: number, clearance: number): number {
    const point = { x, y };
    const known = this.#viewAround(point, point, within);
    if (known === undefined) return this.meetsUnsafe(x, y, x, y) ? TOUCH_CELLS : clearance;
    const { square } = known;
    if (square.hazards.count === 0) return within;
    const shift = Math.floor(x / WORLD_CELLS) * -WORLD_CELLS;
    const found = nearestUnsafe(hazardGridOf(square), this.water.needs, x + shift, y, within);
    return found === undefined ? within : Math.max(TOUCH_CELLS, found.distance);
  }

  /** The point of an edge that is nearest to a line, roughly: the nearest of its ends and middle. */
  nearestOn(a: Point, b: Point, { view, edge }: { view: View; edge: number }): Point {
    const { ends } = hazardGridOf(view.square);
    const ax = unwrapNear(ends[4 * edge]!, a.x);
    const ay = ends[4 * edge + 1]!;
    const bx = ax + ends[4 * edge + 2]! - ends[4 * edge]!;
    const by = ends[4 * edge + 3]!;
    let best = { x: ax, y: ay };
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i <= 16; i++) {
      const x = ax + ((bx - ax) * i) / 16;
      const y = ay + ((by - ay) * i) / 16;
      const away = toSegment(x, y, a.x, a.y, b.x - a.x, b.y - a.y);
      if (away >= least) continue;
      least = away;
      best = { x, y };
    }
    return best;
  }

  /** The unsafe edge nearest to a point, looked for in the squares that know most about it. */
  nearestUnsafe(
    point: Point,
    within: number,
  ): { readonly view: View; readonly edge: number; readonly distance: number } | undefined {
    let best: { view: View; edge: number; distance: number } | undefined;
    const seen = new Set<View>();
    const step = 1 << CELL_BITS;
    for (let y = point.y - within; y < point.y + within + step; y += step) {
      for (let x = point.x - within; x < point.x + within + step; x += step) {
        const cellY = Math.floor(Math.min(y, point.y + within));
        if (cellY < 0 || cellY >= WORLD_CELLS) continue;
        const view = this.water.viewOfCell(Math.floor(Math.min(x, point.x + within)), cellY);
        if (seen.has(view) || view.square.hazards.count === 0) continue;
        seen.add(view);
        const { needs } = this.water;
        const near = unwrapNear(point.x, (view.square.x + 0.5) * (1 << (view.cellLevel + 8)));
        const grid = hazardGridOf(view.square);
        const found = nearestUnsafe(grid, needs, near, point.y, best?.distance ?? within);
        if (found !== undefined) best = { view, ...found };
      }
    }
    return best;
  }

  /** Whether an unsafe edge comes nearer to the line than the lateral clearance. */
  meetsUnsafe(ax: number, ay: number, bx: number, by: number): boolean {
    return this.unsafeAlong({ x: ax, y: ay }, { x: bx, y: by }) !== undefined;
  }

  /**
   * The first unsafe edge within the lateral clearance of a line, and the square that holds it.
   * Looks into every square that the search has looked into, and into finer ones wherever the
   * coarse cells do not already tell that all water within the clearance is free.
   */
  unsafeAlong(a: Point, b: Point): { readonly view: View; readonly edge: number } | undefined {
    this.exactChecks++;
    const room = this.roomOf(a.y, b.y);
    const known = this.#viewAround(a, b, room);
    if (known !== undefined) {
      const { square } = known;
      if (square.hazards.count === 0) return undefined;
      const shift = Math.floor(a.x / WORLD_CELLS) * -WORLD_CELLS;
      const grid = hazardGridOf(square);
      const { needs } = this.water;
      const edge = unsafeNear(grid, needs, a.x + shift, a.y, b.x + shift, b.y, room);
      return edge < 0 ? undefined : { view: known, edge };
    }
    const size = 1 << TOP_LEVEL;
    const right = Math.floor((Math.max(a.x, b.x) + room) / size);
    const bottom = Math.min(3, Math.floor((Math.max(a.y, b.y) + room) / size));
    const top = Math.max(0, Math.floor((Math.min(a.y, b.y) - room) / size));
    for (let x = Math.floor((Math.min(a.x, b.x) - room) / size); x <= right; x++) {
      const shift = -Math.floor(x / 4) * WORLD_CELLS;
      for (let y = top; y <= bottom; y++) {
        const view = this.water.rootAt(x & 3, y);
        const found = this.#unsafeIn(view, a.x + shift, a.y, b.x + shift, b.y, room);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** Features of a kind whose edges a line crosses, each where it is crossed first. */
  crossed(
    a: Point,
    b: Point,
    kind: number,
  ): { readonly feature: HazardFeature; readonly clearance: number; readonly at: Point }[] {
    const found = new Map<HazardFeature, { clearance: number; at: Point }>();
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) / (1 << CELL_BITS)) + 1;
    const seen = new Set<View>();
    for (let k = 0; k <= steps; k++) {
      const y = Math.floor(a.y + (dy * k) / steps);
      const view = this.water.knownViewOfCell(Math.floor(a.x + (dx * k) / steps), y);
      if (seen.has(view)) continue;
      seen.add(view);
      const near = unwrapNear(a.x, (view.square.x + 0.5) * (1 << (view.cellLevel + 8))) - a.x;
      const grid = hazardGridOf(view.square);
      const { hazards } = grid;
      for (let i = 0; i < hazards.count; i++) {
        if (hazards.kind[i] !== kind) continue;
        const feature = hazards.features[hazards.feature[i]!]!;
        const at = crossing(a, b, grid.ends, i, near);
        if (at !== undefined && !found.has(feature)) {
          found.set(feature, { clearance: hazards.clearance[i]!, at });
        }
      }
    }
    return [...found].map(([feature, { clearance, at }]) => ({ feature, clearance, at }));
  }

  /** Whether the exact edges of a square are wanted though the cells prove its water free. */
  #isToBeRead(left: number, top: number, size: number): boolean {
    const near = this.#readNear;
    return near?.isNear(left, top, size) === true && this.water.squares < MOST_SQUARES_TO_CHECK;
  }

  /**
   * As unsafeAlong, but reads the exact edges of all squares on the way near the ends of the trip, so
   * that nothing there hangs on the cells alone.
   */
  unsafeAlongForSure(
    a: Point,
    b: Point,
    near: Detail,
  ): { readonly view: View; readonly edge: number } | undefined {
    this.#readNear = near;
    try {
      return this.unsafeAlong(a, b);
    } finally {
      this.#readNear = undefined;
    }
  }

  /** The view that alone knows the ground around a short line, if it is in one finest square. */
  #viewAround(a: Point, b: Point, room: number): View | undefined {
    const left = Math.floor(Math.min(a.x, b.x) - room);
    const top = Math.floor(Math.min(a.y, b.y) - room);
    const right = Math.floor(Math.max(a.x, b.x) + room);
    const bottom = Math.floor(Math.max(a.y, b.y) + room);
    if (left >> CELL_BITS !== right >> CELL_BITS || top >> CELL_BITS !== bottom >> CELL_BITS) {
      return undefined;
    }
    return this.water.knownView(left, top);
  }

  #unsafeIn(
    view: View,
    ax: number,
    ay: number,
    bx: number,
    by: number,
    room: number,
  ): { readonly view: View; readonly edge: number } | undefined {
    const { square, finer, cellLevel } = view;
    const width = 1 << (cellLevel + 8);
    if (!passes(ax, ay, bx, by, room, square.x * width, square.y * width, width)) return undefined;
    if (square.hazards.count > 0) {
      const edge = unsafeNear(hazardGridOf(square), this.water.needs, ax, ay, bx, by, room);
      if (edge >= 0) return { view, edge };
    }
    const part = width / 8;
    const left = square.x * width;
    const top = square.y * width;
    const x0 = Math.max(0, Math.floor((Math.min(ax, bx) - room - left) / part));
    const x1 = Math.min(7, Math.floor((Math.max(ax, bx) + room - left) / part));
    const y0 = Math.max(0, Math.floor((Math.min(ay, by) - room - top) / part));
    const y1 = Math.min(7, Math.floor((Math.max(ay, by) + room - top) / part));
    for (let i = y0 * 8 + x0; i <= y1 * 8 + x1; i += (i & 7) === x1 ? 8 - x1 + x0 : 1) {
      if (square.hasFiner[i] !== 1) continue;
      const x = square.x * 8 + (i & 7);
      const y = square.y * 8 + (i >> 3);
      if (!passes(ax, ay, bx, by, room, x * part, y * part, part)) continue;
      let below = finer[i];
      if (below === undefined) {
        this.#ax = ax;
        this.#ay = ay;
        this.#dx = bx - ax;
        this.#dy = by - ay;
        this.#room = room;
        const isProven = this.#isFreeIn(cellLevel + 5, x, y, cellLevel);
        if (isProven && !this.#isToBeRead(x * part, y * part, part)) continue;
        below = this.water.finerAt(view, i & 7, i >> 3);
      }
      const found = this.#unsafeIn(below, ax, ay, bx, by, room);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Whether a line with room on both sides touches a block. */
function passes(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  room: number,
  left: number,
  top: number,
  width: number,
): boolean {
  const half = width / 2 + room;
  const dx = bx - ax;
  const dy = by - ay;
  const cx = ax + dx / 2 - left - width / 2;
  const cy = ay + dy / 2 - top - width / 2;
  if (Math.abs(cx) > half + Math.abs(dx) / 2 || Math.abs(cy) > half + Math.abs(dy) / 2)
    return false;
  return Math.abs(cx * dy - cy * dx) <= half * (Math.abs(dx) + Math.abs(dy));
}

/** Where a line crosses an edge; `shift` brings the line to the edge's copy of the world. */
function crossing(
  a: Point,
  b: Point,
  ends: Float64Array,
  i: number,
  shift: number,
): Point | undefined {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const cx = ends[4 * i]! - shift;
  const cy = ends[4 * i + 1]!;
  const ex = ends[4 * i + 2]! - shift - cx;
  const ey = ends[4 * i + 3]! - cy;
  const across = dx * ey - dy * ex;
  if (across === 0) return undefined;
  const t = ((cx - a.x) * ey - (cy - a.y) * ex) / across;
  const u = ((cx - a.x) * dy - (cy - a.y) * dx) / across;
  if (t < 0 || t > 1 || u < 0 || u > 1) return undefined;
  return { x: a.x + t * dx, y: a.y + t * dy };
}
