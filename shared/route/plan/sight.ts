// Whether a straight line of the plane stays in free water: by the cells alone, with room on both
// sides, and where these are too coarse to tell, by the exact edges.

import { BLOCKED, FREE } from './block-class.ts';
import type { Detail } from './detail.ts';
import { hazardGridOf, unsafeNear } from './hazard-grid.ts';
import { cellsOf, type Point, WORLD_CELLS } from './plane.ts';
import { TOP_LEVEL, type View, type Water } from './water.ts';

/** Cells of room for lines that run exactly along a border: both sides count. */
const TOUCH_CELLS = 1e-6;

export class Sight {
  readonly water: Water;
  readonly detail: Detail;
  /** Exact checks done, for figures. */
  exactChecks = 0;
  #ax = 0;
  #ay = 0;
  #dx = 0;
  #dy = 0;
  #room = 0;

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
    const size = 2 ** level;
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
    const size = 2 ** level;
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
    const size = 2 ** TOP_LEVEL;
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

  #unsafeIn(
    view: View,
    ax: number,
    ay: number,
    bx: number,
    by: number,
    room: number,
  ): { readonly view: View; readonly edge: number } | undefined {
    const { square, finer, cellLevel } = view;
    const width = 2 ** (cellLevel + 8);
    if (!passes(ax, ay, bx, by, room, square.x * width, square.y * width, width)) return undefined;
    if (square.hazards.count > 0) {
      const edge = unsafeNear(hazardGridOf(square), this.water.needs, ax, ay, bx, by, room);
      if (edge >= 0) return { view, edge };
    }
    const part = width / 8;
    for (let i = 0; i < 64; i++) {
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
        if (this.#isFreeIn(cellLevel + 5, x, y, cellLevel)) continue;
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
