// Whether a straight line on the Mercator plane is safe. It is safe if all grid cells within the
// lateral clearance are free. Near the ends of the trip, it is also safe if the cells on the line are
// free and no exact edge is within the lateral clearance.

import type { HazardFeature } from '../../sea.ts';
import { type Corridor, corridorOf, shifted, touchesBlock } from '../geometry/corridor.ts';
import { cellsOf, type Point, unwrapNear, WORLD_CELLS } from '../geometry/plane.ts';
import type { Detail } from '../read/detail.ts';
import { TOP_LEVEL, type View, type Water } from '../read/water.ts';
import { isCorridorFree, isCorridorFreeIn, type WaterQuery } from './free-water.ts';
import {
  hazardGridOf,
  nearestUnsafe,
  squaredDistanceToSegment,
  unsafeWithin,
} from './hazard-grid.ts';

/**
 * Until a trip has read this many squares, the last check reads finer squares near waypoints even if
 * the grid cells prove the water free.
 */
const MOST_SQUARES_TO_CHECK = 250;
/** Binary logarithm of the grid cells along a side of a square. */
const CELL_BITS = 8;
/** Additional clearance, so that a line exactly on a border touches the cells on both sides. */
const TOUCH_CELLS = 1e-6;
const MOST_MOVES = 8;
/** Additional length of each move in `placeWithin`. */
const EXTRA_MOVE_CELLS = 1e-4;

/** An unsafe edge, and the view of the square that contains it. */
export interface UnsafeEdge {
  readonly view: View;
  readonly edge: number;
}

export class LineOfSight {
  readonly water: Water;
  readonly detail: Detail;
  readonly #query: WaterQuery;

  constructor(water: Water, detail: Detail) {
    this.water = water;
    this.detail = detail;
    this.#query = { water, detail, finest: 0 };
  }

  /** Upper bound of the lateral clearance in cells, for a line from y `ay` to y `by`. */
  lateralCells(ay: number, by: number): number {
    const { lateralMeters } = this.water.needs;
    if (lateralMeters === 0) return TOUCH_CELLS;
    return Math.max(cellsOf(lateralMeters, ay), cellsOf(lateralMeters, by)) + TOUCH_CELLS;
  }

  /** Whether the vessel may sail the line. */
  isClear(a: Point, b: Point): boolean {
    if (this.isFree(a, b, this.lateralCells(a.y, b.y))) return true;
    if (!this.detail.isExactAt(a.x, a.y) || !this.detail.isExactAt(b.x, b.y)) return false;
    return this.isFree(a, b, TOUCH_CELLS) && !this.meetsUnsafe(a, b);
  }

  /** Whether no blocked block is on the line, down to a level. Reads no finer squares. */
  mayBeClear(a: Point, b: Point, finest: number): boolean {
    const query = { ...this.#query, finest, isMixedFree: true };
    return isCorridorFree(query, corridorOf(a, b, TOUCH_CELLS));
  }

  /** Whether every block within `halfWidth` cells of the line is free. */
  isFree(a: Point, b: Point, halfWidth: number): boolean {
    return isCorridorFree(this.#query, corridorOf(a, b, halfWidth));
  }

  /** Whether every block that the line touches is free, borders included. */
  isFreeByCells(a: Point, b: Point): boolean {
    return this.isFree(a, b, TOUCH_CELLS);
  }

  /**
   * Distance in cells from a point to the nearest unsafe edge, at most `maxDistance`. If that area is
   * not inside one square that was read, only a lower bound: `clearance` if no unsafe edge is within
   * the lateral clearance, otherwise TOUCH_CELLS.
   */
  distanceToUnsafe(point: Point, maxDistance: number, clearance: number): number {
    const known = this.#viewAround(corridorOf(point, point, maxDistance));
    if (known === undefined) return this.meetsUnsafe(point, point) ? TOUCH_CELLS : clearance;
    const { square } = known;
    if (square.hazards.count === 0) return maxDistance;
    const { needs } = this.water;
    const there = { x: point.x + shiftToWorld(point.x), y: point.y };
    const found = nearestUnsafe(hazardGridOf(square), needs, there, maxDistance);
    return found === undefined ? maxDistance : Math.max(TOUCH_CELLS, found.distance);
  }

  /**
   * A place at least `clearance` cells from all unsafe edges, and at most `half` cells from `point`
   * in x and y. Moves repeatedly away from the nearest edge; `undefined` if that is not enough.
   */
  placeWithin(point: Point, half: number, clearance: number): Point | undefined {
    let at = point;
    for (let i = 0; i < MOST_MOVES; i++) {
      const found = this.nearestUnsafeEdge(at, clearance);
      if (found === undefined) return at;
      const from = footOn(at, found);
      const away = Math.hypot(at.x - from.x, at.y - from.y);
      if (away === 0) return undefined;
      const by = (clearance - found.distance + EXTRA_MOVE_CELLS) / away;
      const next = { x: at.x + (at.x - from.x) * by, y: at.y + (at.y - from.y) * by };
      at = { x: clampAround(next.x, point.x, half), y: clampAround(next.y, point.y, half) };
    }
    return undefined;
  }

  /** The point of an edge that is nearest to a line, among 17 points spread over the edge. */
  nearestOn(a: Point, b: Point, { view, edge }: UnsafeEdge): Point {
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
      const squared = squaredDistanceToSegment(x, y, a.x, a.y, b.x - a.x, b.y - a.y);
      if (squared >= least) continue;
      least = squared;
      best = { x, y };
    }
    return best;
  }

  /** The unsafe edge nearest to a point in the most detailed squares, if one is in `maxDistance`. */
  nearestUnsafeEdge(
    point: Point,
    within: number,
  ): (UnsafeEdge & { readonly distance: number }) | undefined {
    let best: (UnsafeEdge & { readonly distance: number }) | undefined;
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
        const found = nearestUnsafe(grid, needs, { x: near, y: point.y }, best?.distance ?? within);
        if (found !== undefined) best = { view, ...found };
      }
    }
    return best;
  }

  /** Whether an unsafe edge is nearer to the line than the lateral clearance. */
  meetsUnsafe(a: Point, b: Point): boolean {
    return this.unsafeAlong(a, b) !== undefined;
  }

  /**
   * An unsafe edge within the lateral clearance of a line. Tests every square that the trip has
   * read. Also reads finer squares if the grid cells do not prove that all water within the
   * clearance is free.
   *
   * @param readNear where finer squares are read even if the cells prove the water free, until the
   *   trip has read MOST_SQUARES_TO_CHECK squares
   */
  unsafeAlong(a: Point, b: Point, readNear?: Detail): UnsafeEdge | undefined {
    const corridor = corridorOf(a, b, this.lateralCells(a.y, b.y));
    const { halfWidth } = corridor;
    const known = this.#viewAround(corridor);
    if (known !== undefined) return this.#unsafeOf(known, shifted(corridor, shiftToWorld(a.x)));
    const size = 1 << TOP_LEVEL;
    const right = Math.floor((Math.max(a.x, b.x) + halfWidth) / size);
    const bottom = Math.min(3, Math.floor((Math.max(a.y, b.y) + halfWidth) / size));
    const top = Math.max(0, Math.floor((Math.min(a.y, b.y) - halfWidth) / size));
    for (let x = Math.floor((Math.min(a.x, b.x) - halfWidth) / size); x <= right; x++) {
      const here = shifted(corridor, -Math.floor(x / 4) * WORLD_CELLS);
      for (let y = top; y <= bottom; y++) {
        const found = this.#unsafeIn(this.water.rootAt(x & 3, y), here, readNear);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** Features of a kind whose edges a line crosses, each with one of the crossings. */
  crossed(
    a: Point,
    b: Point,
    kind: number,
  ): { readonly feature: HazardFeature; readonly verticalClearance: number; readonly at: Point }[] {
    const found = new Map<HazardFeature, { clearance: number; at: Point }>();
    const seen = new Set<View>();
    for (const { x, y } of placesInSquares(a, b)) {
      const view = this.water.knownViewOfCell(Math.floor(x), Math.floor(y));
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
    return [...found].map(([feature, { clearance, at }]) => ({
      feature,
      verticalClearance: clearance,
      at,
    }));
  }

  /** The view that contains all of a corridor, if the corridor is in one finest square that was read. */
  #viewAround({ ax, ay, bx, by, halfWidth }: Corridor): View | undefined {
    const left = Math.floor(Math.min(ax, bx) - halfWidth);
    const top = Math.floor(Math.min(ay, by) - halfWidth);
    const right = Math.floor(Math.max(ax, bx) + halfWidth);
    const bottom = Math.floor(Math.max(ay, by) + halfWidth);
    if (left >> CELL_BITS !== right >> CELL_BITS || top >> CELL_BITS !== bottom >> CELL_BITS) {
      return undefined;
    }
    return this.water.knownView(left, top);
  }

  /** An unsafe edge in the corridor, of this square but not of its finer squares. */
  #unsafeOf(view: View, corridor: Corridor): UnsafeEdge | undefined {
    const { square } = view;
    if (square.hazards.count === 0) return undefined;
    const edge = unsafeWithin(hazardGridOf(square), this.water.needs, corridor);
    return edge < 0 ? undefined : { view, edge };
  }

  /** An unsafe edge in the corridor, of a square or of its finer squares. */
  #unsafeIn(view: View, corridor: Corridor, readNear: Detail | undefined): UnsafeEdge | undefined {
    const { square, finer, cellLevel } = view;
    const { ax, ay, bx, by, halfWidth } = corridor;
    const width = 1 << (cellLevel + 8);
    const left = square.x * width;
    const top = square.y * width;
    if (!touchesBlock(corridor, left, top, width)) return undefined;
    const own = this.#unsafeOf(view, corridor);
    if (own !== undefined) return own;
    const part = width / 8;
    const x0 = Math.max(0, Math.floor((Math.min(ax, bx) - halfWidth - left) / part));
    const x1 = Math.min(7, Math.floor((Math.max(ax, bx) + halfWidth - left) / part));
    const y0 = Math.max(0, Math.floor((Math.min(ay, by) - halfWidth - top) / part));
    const y1 = Math.min(7, Math.floor((Math.max(ay, by) + halfWidth - top) / part));
    for (let i = y0 * 8 + x0; i <= y1 * 8 + x1; i += (i & 7) === x1 ? 8 - x1 + x0 : 1) {
      if (square.hasFiner[i] !== 1) continue;
      const x = square.x * 8 + (i & 7);
      const y = square.y * 8 + (i >> 3);
      if (!touchesBlock(corridor, x * part, y * part, part)) continue;
      let finerView = finer[i];
      if (finerView === undefined) {
        const query = { water: this.water, detail: this.detail, finest: cellLevel };
        const isFreeByCells = isCorridorFreeIn(query, corridor, cellLevel + 5, x, y);
        const mustRead =
          readNear?.isNear(x * part, y * part, part) === true &&
          this.water.squares < MOST_SQUARES_TO_CHECK;
        if (isFreeByCells && !mustRead) continue;
        finerView = this.water.finerAt(view, i);
      }
      const found = this.#unsafeIn(finerView, corridor, readNear);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const clampAround = (value: number, middle: number, half: number): number =>
  Math.max(middle - half, Math.min(middle + half, value));

/** The place on an edge that is nearest to a point. */
export function footOn({ x, y }: Point, { view, edge }: UnsafeEdge): Point {
  const { ends } = hazardGridOf(view.square);
  const ax = unwrapNear(ends[4 * edge]!, x);
  const ay = ends[4 * edge + 1]!;
  const dx = ends[4 * edge + 2]! - ends[4 * edge]!;
  const dy = ends[4 * edge + 3]! - ay;
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / squared;
  const kept = Math.max(0, Math.min(1, t));
  return { x: ax + kept * dx, y: ay + kept * dy };
}

/** The number that moves an x between 0 and WORLD_CELLS when it is added. */
function shiftToWorld(x: number): number {
  return Math.floor(x / WORLD_CELLS) * -WORLD_CELLS;
}

/** A place of a line in each finest square that it touches, however short it is there. */
export function placesInSquares(a: Point, b: Point): Point[] {
  const at = (t: number): Point => ({ x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) });
  const borders = [0, ...bordersBetween(a.x, b.x), ...bordersBetween(a.y, b.y), 1];
  borders.sort((s, t) => s - t);
  const between = borders.slice(1).map((t, i) => at((t + borders[i]!) / 2));
  return [a, ...between, b];
}

/** Parts of the way from one coordinate to another at which a border of finest squares is crossed. */
function bordersBetween(from: number, to: number): number[] {
  const size = 1 << CELL_BITS;
  const first = Math.floor(Math.min(from, to) / size) + 1;
  const last = Math.ceil(Math.max(from, to) / size) - 1;
  const count = Math.max(0, last - first + 1);
  return Array.from({ length: count }, (_, i) => ((first + i) * size - from) / (to - from));
}

/** Where a line crosses an edge. `shift` is subtracted from the edge's x. */
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
