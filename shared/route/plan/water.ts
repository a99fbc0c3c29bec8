// The sea as one trip sees it: any block of cells is free, blocked or mixed. Squares are looked into
// from the coarse to the fine, only as far as the question needs.

import {
  SEA_FLAGS,
  SEA_ZOOMS,
  type Sea,
  type SeaSquare,
  type SeaZoom,
  type SquareId,
} from '../sea.ts';
import { BLOCKED, type BlockClass, FREE, MIXED } from './block-class.ts';
import type { Bounds } from './bounds.ts';
import type { Needs } from './needs.ts';
import { type Point, unwrapNear, WORLD_LEVEL } from './plane.ts';
import { mipsOf, type SquareMips } from './square-mips.ts';

/** The largest block there is: a whole square of zoom 2. */
export const TOP_LEVEL = WORLD_LEVEL - SEA_ZOOMS[0];
/** Levels from a square to its cells, and from a square to those finer than it. */
const CELL_LEVELS = 8;
const FINER_LEVELS = 3;
/** Cells of zoom 11 are fine enough to tell a lane from its neighbour. */
const FINEST_FLAG_LEVEL = 3;

const LAST_VIEWS = 1024;

/** A square that the trip has looked into. */
export interface View {
  readonly square: SeaSquare;
  readonly mips: SquareMips;
  /** Level of its cells. */
  readonly cellLevel: number;
  /** Its finer squares that were looked into, 8 × 8. */
  readonly finer: (View | undefined)[];
}

/** Thrown out of any question that needs a square which is not there; ask again once it is. */
export class SquareLacking extends Error {
  readonly square: SquareId;

  constructor(square: SquareId) {
    super(`square ${square.z}/${square.x}/${square.y} is not there yet`);
    this.square = square;
  }
}

export class Water {
  readonly #sea: Sea;
  readonly needs: Needs;
  readonly #bounds: Bounds;
  readonly #roots: (View | undefined)[] = new Array(16).fill(undefined);
  /** Squares looked into. */
  squares = 0;
  readonly #closed: { readonly x: number; readonly y: number; readonly half: number }[] = [];
  /** Where the last questions ended: the view that answers for a square's ground. */
  readonly #lastKeys = new Int32Array(LAST_VIEWS).fill(-1);
  readonly #lastViews: (View | undefined)[] = new Array(LAST_VIEWS).fill(undefined);

  constructor(sea: Sea, needs: Needs, bounds: Bounds) {
    this.#sea = sea;
    this.needs = needs;
    this.#bounds = bounds;
  }

  /**
   * Class of the block (x, y) of a level; x wraps.
   *
   * @throws SquareLacking, as everything here that has to look into a square that is not there yet
   */
  classOf(level: number, x: number, y: number): BlockClass {
    const { north, south, areas } = this.#bounds;
    const top = y << level;
    const bottom = top + (1 << level);
    if (bottom <= north || top >= south) return BLOCKED;
    let kind = this.#charted(level, x & ((1 << (WORLD_LEVEL - level)) - 1), y);
    if (kind === FREE && (top < north || bottom > south)) kind = level === 0 ? BLOCKED : MIXED;
    if (kind !== BLOCKED && this.#closed.length > 0) kind = this.#closedIn(kind, level, x, y);
    if (kind === BLOCKED || areas === undefined) return kind;
    const inAreas = areas.classOf(level, x & ((1 << (WORLD_LEVEL - level)) - 1), y);
    return inAreas < kind ? inAreas : kind;
  }

  /** The same sea for a vessel with other needs. */
  withNeeds(needs: Partial<Needs>): Water {
    return new Water(this.#sea, { ...this.needs, ...needs }, this.#bounds);
  }

  /** Closes a block to the search: the last check found a danger there that the cells do not tell. */
  close(at: Point, cells: number): void {
    this.#closed.push({ x: at.x, y: at.y, half: cells / 2 });
  }

  #closedIn(kind: BlockClass, level: number, x: number, y: number): BlockClass {
    const size = 1 << level;
    for (const spot of this.#closed) {
      const near = unwrapNear((x + 0.5) * size, spot.x);
      const away = Math.max(Math.abs(near - spot.x), Math.abs((y + 0.5) * size - spot.y));
      if (away <= spot.half + size / 2) return level === 0 ? BLOCKED : MIXED;
    }
    return kind;
  }

  isInAvoidedArea(x: number, y: number): boolean {
    return this.#bounds.areas?.meets(x, y, x, y) === true;
  }

  /** Whether a line touches an area to stay out of, or leaves the latitudes that are allowed. */
  isOutOfBounds(a: Point, b: Point): boolean {
    const { north, south, areas } = this.#bounds;
    if (Math.min(a.y, b.y) < north || Math.max(a.y, b.y) > south) return true;
    return areas?.meets(a.x, a.y, b.x, b.y) === true;
  }

  #charted(level: number, x: number, y: number): BlockClass {
    const key = keyOf(level, x, y);
    const slot = slotOf(key);
    if (this.#lastKeys[slot] === key) {
      const view = this.#lastViews[slot]!;
      const { cellLevel, square } = view;
      if (level >= cellLevel) {
        const bits = CELL_LEVELS - level + cellLevel;
        const i = ((y - (square.y << bits)) << bits) + x - (square.x << bits);
        const kind = this.#classIn(view, level - cellLevel, i);
        return kind === MIXED && level === cellLevel && !hasFinerAt(square, i) ? BLOCKED : kind;
      }
      const down = cellLevel - level;
      const cx = (x >> down) - (square.x << CELL_LEVELS);
      const cy = (y >> down) - (square.y << CELL_LEVELS);
      // No finer square knows this place: what is mixed here stays closed.
      return this.#classIn(view, 0, (cy << CELL_LEVELS) + cx) === FREE ? FREE : BLOCKED;
    }
    const up = TOP_LEVEL - level;
    let view = this.rootAt(x >> up, y >> up);
    for (;;) {
      const { cellLevel, square } = view;
      const above = level - cellLevel;
      if (above >= 0) {
        const bits = CELL_LEVELS - above;
        const cx = x - (square.x << bits);
        const cy = y - (square.y << bits);
        this.#lastKeys[slot] = key;
        this.#lastViews[slot] = view;
        const kind = this.#classIn(view, above, (cy << bits) + cx);
        if (above > 0 || kind !== MIXED) return kind;
        return hasFiner(square, cx, cy) ? MIXED : BLOCKED;
      }
      const cx = (x >> -above) - (square.x << CELL_LEVELS);
      const cy = (y >> -above) - (square.y << CELL_LEVELS);
      const kind = this.#classIn(view, 0, (cy << CELL_LEVELS) + cx);
      if (!hasFiner(square, cx, cy)) {
        this.#lastKeys[slot] = key;
        this.#lastViews[slot] = view;
        return kind === FREE ? FREE : BLOCKED;
      }
      if (kind !== MIXED) return kind;
      view = this.finerAt(view, cx >> 5, cy >> 5);
    }
  }

  /** The view that knows most about the ground of one finest square, if the trip has found it. */
  knownView(x: number, y: number): View | undefined {
    const key = keyOf(0, x & ((1 << WORLD_LEVEL) - 1), y);
    const slot = slotOf(key);
    return this.#lastKeys[slot] === key ? this.#lastViews[slot] : undefined;
  }

  #classIn({ mips }: View, level: number, i: number): BlockClass {
    const { depthCode, clearanceCode, forbidden } = this.needs;
    if (mips.most[level]![i]! < depthCode) return BLOCKED;
    let kind: BlockClass = mips.least[level]![i]! >= depthCode ? FREE : MIXED;
    if (mips.clearance !== undefined && mips.clearance[level]![i]! < clearanceCode) kind = MIXED;
    if (mips.anyFlags !== undefined && (mips.anyFlags[level]![i]! & forbidden) !== 0) {
      if ((mips.allFlags![level]![i]! & forbidden) !== 0) return BLOCKED;
      kind = MIXED;
    }
    return kind;
  }

  /**
   * SEA_FLAGS that any cell of a free block has, and in the upper 16 bits those that all have. Where
   * the coarse cells have one of `interesting`, finer ones are looked into as far as zoom 11.
   */
  flagsOf(level: number, x: number, y: number, interesting: number): number {
    const wrapped = x & ((1 << (WORLD_LEVEL - level)) - 1);
    const up = TOP_LEVEL - level;
    let view = this.rootAt(wrapped >> up, y >> up);
    for (;;) {
      const { cellLevel, square, mips } = view;
      if (mips.anyFlags === undefined) return 0;
      const above = Math.max(0, level - cellLevel);
      const bits = CELL_LEVELS - above;
      const down = cellLevel + above - level;
      const cx = (wrapped >> down) - (square.x << bits);
      const cy = (y >> down) - (square.y << bits);
      const any = mips.anyFlags[above]![(cy << bits) + cx]!;
      const isDeepEnough = level > cellLevel || cellLevel <= FINEST_FLAG_LEVEL;
      if ((any & interesting) === 0 || isDeepEnough || !hasFiner(square, cx, cy)) {
        return any | (mips.allFlags![above]![(cy << bits) + cx]! << 16);
      }
      view = this.finerAt(view, cx >> 5, cy >> 5);
    }
  }

  /** Whether the square that knows a block has a fairway anywhere, seen no finer than zoom 11. */
  hasFairwayAround(level: number, x: number, y: number): boolean {
    const wrapped = x & ((1 << (WORLD_LEVEL - level)) - 1);
    const up = TOP_LEVEL - level;
    const view = this.rootAt(wrapped >> up, y >> up);
    return this.#hasFairway(view, level, wrapped, y);
  }

  #hasFairway(
    { square, mips, cellLevel, finer }: View,
    level: number,
    x: number,
    y: number,
  ): boolean {
    const top = mips.anyFlags?.[CELL_LEVELS]?.[0] ?? 0;
    if ((top & SEA_FLAGS.fairway) === 0) return false;
    if (cellLevel <= FINEST_FLAG_LEVEL || level > cellLevel + CELL_LEVELS - FINER_LEVELS)
      return true;
    const down = cellLevel + CELL_LEVELS - FINER_LEVELS - level;
    const below = finer[((y >> down) - square.y * 8) * 8 + (x >> down) - square.x * 8];
    return below === undefined || this.#hasFairway(below, level, x, y);
  }

  /** Direction of the lane in the middle of a block, degrees. */
  laneBearingOf(level: number, x: number, y: number): number {
    const half = (1 << level) >> 1;
    const wrapped = ((x << level) + half) & ((1 << WORLD_LEVEL) - 1);
    const middle = (y << level) + half;
    let view = this.rootAt(wrapped >> TOP_LEVEL, middle >> TOP_LEVEL);
    for (;;) {
      const { square, cellLevel } = view;
      const cx = (wrapped >> cellLevel) - (square.x << CELL_LEVELS);
      const cy = (middle >> cellLevel) - (square.y << CELL_LEVELS);
      if (cellLevel <= FINEST_FLAG_LEVEL || !hasFiner(square, cx, cy)) {
        return (square.laneBearing?.[(cy << CELL_LEVELS) + cx] ?? 0) * 1.5;
      }
      view = this.finerAt(view, cx >> 5, cy >> 5);
    }
  }

  /** The square that knows most about a cell of those that the trip has looked into. */
  knownViewOfCell(x: number, y: number): View {
    const wrapped = x & ((1 << WORLD_LEVEL) - 1);
    let view = this.rootAt(wrapped >> TOP_LEVEL, y >> TOP_LEVEL);
    for (;;) {
      const cx = (wrapped >> view.cellLevel) - (view.square.x << CELL_LEVELS);
      const cy = (y >> view.cellLevel) - (view.square.y << CELL_LEVELS);
      const below = view.finer[(cy >> 5) * 8 + (cx >> 5)];
      if (below === undefined) return view;
      view = below;
    }
  }

  /** The square that knows most about a cell, looked into if need be. */
  viewOfCell(x: number, y: number): View {
    const wrapped = x & ((1 << WORLD_LEVEL) - 1);
    let view = this.rootAt(wrapped >> TOP_LEVEL, y >> TOP_LEVEL);
    while (view.cellLevel > 0) {
      const cx = (wrapped >> view.cellLevel) - (view.square.x << CELL_LEVELS);
      const cy = (y >> view.cellLevel) - (view.square.y << CELL_LEVELS);
      if (!hasFiner(view.square, cx, cy)) break;
      view = this.finerAt(view, cx >> 5, cy >> 5);
    }
    return view;
  }

  rootAt(x: number, y: number): View {
    const i = y * 4 + x;
    const known = this.#roots[i];
    if (known !== undefined) return known;
    const root = this.#look(SEA_ZOOMS[0], x, y);
    this.#roots[i] = root;
    return root;
  }

  /** The finer square (x, y of 8 × 8) below another. */
  finerAt({ square, finer }: View, x: number, y: number): View {
    const i = y * 8 + x;
    const known = finer[i];
    if (known !== undefined) return known;
    const zoom = (square.zoom + FINER_LEVELS) as SeaZoom;
    const below = this.#look(zoom, square.x * 8 + x, square.y * 8 + y);
    finer[i] = below;
    return below;
  }

  #look(zoom: SeaZoom, x: number, y: number): View {
    const square = this.#sea.square(zoom, x, y);
    if (square === undefined) throw new SquareLacking({ z: zoom, x, y });
    this.squares++;
    const cellLevel = WORLD_LEVEL - CELL_LEVELS - zoom;
    return { square, mips: mipsOf(square), cellLevel, finer: new Array(64).fill(undefined) };
  }
}

function hasFiner({ hasFiner }: SeaSquare, cx: number, cy: number): boolean {
  return hasFiner[(cy >> 5) * 8 + (cx >> 5)] === 1;
}

function hasFinerAt(square: SeaSquare, i: number): boolean {
  return hasFiner(square, i & 255, i >> 8);
}

/** Whether finer squares know any of a block, numbered by rows at its level above the cells. */

/** Squares whose cells suit a level, numbered: the coarsest whose cells are no larger. */
function keyOf(level: number, x: number, y: number): number {
  const cellLevel = level >= 12 ? 12 : level - (level % FINER_LEVELS);
  const up = cellLevel + CELL_LEVELS - level;
  return ((cellLevel / FINER_LEVELS) << 28) | ((x >> up) << 14) | (y >> up);
}

function slotOf(key: number): number {
  const bits = Math.imul(key, 0x9e3779b1);
  return (bits ^ (bits >>> 15)) & (LAST_VIEWS - 1);
}
