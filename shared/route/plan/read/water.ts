// The sea for one trip: any block of cells is free, blocked or mixed. Squares are read from coarse
// to fine, only as far as the question needs.

import { bitsOf, cellTable, entryAt, partOf } from '../../cell-table.ts';
import {
  type CellTable,
  SEA_FLAGS,
  SEA_ZOOMS,
  type Sea,
  type SeaGround,
  type SeaZoom,
  SQUARE_CELLS,
  type SquareId,
} from '../../sea.ts';
import { BLOCKED, type BlockClass, FREE, MIXED } from '../geometry/blocks.ts';
import { type Bounds, PASSAGE_LEVEL, passageBlock } from '../geometry/bounds.ts';
import { type Point, unwrapNear, WORLD_LEVEL } from '../geometry/plane.ts';
import { type Needs, outsideMarks } from './needs.ts';

/** The level of the largest block: a whole square of zoom 2. */
export const TOP_LEVEL = WORLD_LEVEL - SEA_ZOOMS[0];
/** Levels between a square and its cells, and between a square and its finer squares. */
export const CELL_LEVELS = 8;
const FINER_LEVELS = 3;
/** Cells of zoom 11 are fine enough to distinguish a lane from its neighbour. */
export const FINEST_FLAG_LEVEL = 3;

const LAST_VIEWS = 1024;
/**
 * Half the width, in cells, of the area around a waypoint in which lateral marks close no water.
 */
const OPEN_CELLS = 2;

/** A square that the trip has read. */
export interface View {
  readonly square: SeaGround;
  readonly cells: CellTable;
  /** The class of each entry of `cells`, for the needs of the trip. */
  readonly kinds: Uint8Array;
  /** The forbidden flags of each entry of `cells`; 0 if its depth closes it anyway. */
  readonly met: Uint16Array;
  /** Level of its cells. */
  readonly cellLevel: number;
  /** Binary logarithm of the width of its planes. */
  readonly bits: number;
  /** Its finer squares that the trip has read, 8 × 8. */
  readonly finer: (View | undefined)[];
}

/** Thrown by any question that needs a square which is not present. Ask again when it is. */
export class MissingSquare extends Error {
  readonly square: SquareId;

  constructor(square: SquareId) {
    super(`square ${square.z}/${square.x}/${square.y} is not there yet`);
    this.square = square;
  }
}

/** Edges of avoided areas compared in the time of one look. */
const EDGES_A_LOOK = 32;
export class Water {
  readonly #sea: Sea;
  readonly needs: Needs;
  readonly #bounds: Bounds;
  readonly #roots: (View | undefined)[] = new Array(16).fill(undefined);
  /** Number of squares read. */
  squares = 0;
  /** Number of blocks examined: a measure of work. */
  looks = 0;
  readonly #closed: (Point & { readonly half: number })[] = [];
  /** Waypoints around which lateral marks close no water, and the water there without the marks. */
  readonly #opened: Point[] = [];
  #withoutMarks: Water | undefined;
  #withPassages: Water | undefined;
  /** Forbidden flags in the block that was classified last; 0 if its depth closes it anyway. */
  #metFlags = 0;
  /** Cache of the last answers: the view that covers a square's ground. */
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
   * @throws MissingSquare, like all methods here that need a square which is not present yet
   */
  classOf(level: number, x: number, y: number): BlockClass {
    const { north, south, areas, passages } = this.#bounds;
    this.looks++;
    const top = y << level;
    const bottom = top + (1 << level);
    if (bottom <= north || top >= south) return BLOCKED;
    let kind = this.#charted(level, x & ((1 << (WORLD_LEVEL - level)) - 1), y);
    if (kind !== FREE && this.#metFlags !== 0) {
      const met = this.#metFlags;
      if ((met & SEA_FLAGS.passage) !== 0 && passages.size > 0)
        kind = this.#inPassage(kind, level, x, y);
      if ((met & SEA_FLAGS.besideMarks) !== 0) kind = this.#openedIn(kind, level, x, y);
    }
    if (kind === FREE && (top < north || bottom > south)) kind = level === 0 ? BLOCKED : MIXED;
    if (kind !== BLOCKED && this.#closed.length > 0) kind = this.#closedIn(kind, level, x, y);
    if (kind === BLOCKED || areas === undefined) return kind;
    const [before, column] = [areas.compared, x & ((1 << (WORLD_LEVEL - level)) - 1)];
    const inAreas = areas.classOf(level, column, y);
    this.looks += (areas.compared - before) / EDGES_A_LOOK;
    return inAreas < kind ? inAreas : kind;
  }

  /** Heights of the plane between which the trip may sail. */
  get heights(): { readonly north: number; readonly south: number } {
    return this.#bounds;
  }

  /** The same sea for a vessel with different needs. */
  withNeeds(needs: Partial<Needs>): Water {
    return new Water(this.#sea, { ...this.needs, ...needs }, this.#bounds);
  }

  /**
   * Closes a block to the search: the last check found a danger there that the cells do not show.
   */
  close(at: Point, cells: number): void {
    this.#closed.push({ x: at.x, y: at.y, half: cells / 2 });
  }

  /** Makes a waypoint reachable that lies outside lateral marks. */
  open(at: Point): void {
    this.#opened.push(at);
  }

  /** The class of a block, with the corridors open if it is near an open passage. */
  #inPassage(kind: BlockClass, level: number, x: number, y: number): BlockClass {
    const { needs } = this;
    const { passages } = this.#bounds;
    const middle = { x: (x + 0.5) * 2 ** level, y: (y + 0.5) * 2 ** level };
    if (level <= PASSAGE_LEVEL && !passages.has(passageBlock(middle))) return kind;
    this.#withPassages ??= new Water(
      this.#sea,
      { ...needs, forbidden: needs.forbidden & ~SEA_FLAGS.passage },
      { ...this.#bounds, passages: new Set<number>() },
    );
    const open = this.#withPassages.#charted(level, x & ((1 << (WORLD_LEVEL - level)) - 1), y);
    return level <= PASSAGE_LEVEL || open === kind ? open : MIXED;
  }

  #openedIn(kind: BlockClass, level: number, x: number, y: number): BlockClass {
    if (!this.#opened.some((spot) => isNear(spot, OPEN_CELLS, level, x, y))) return kind;
    this.#withoutMarks ??= this.withNeeds(outsideMarks(this.needs));
    const without = this.#withoutMarks.#charted(level, x & ((1 << (WORLD_LEVEL - level)) - 1), y);
    return level === 0 || without === kind ? without : MIXED;
  }

  #closedIn(kind: BlockClass, level: number, x: number, y: number): BlockClass {
    const isClosed = this.#closed.some((spot) => isNear(spot, spot.half, level, x, y));
    return isClosed ? (level === 0 ? BLOCKED : MIXED) : kind;
  }

  isInAvoidedArea(point: Point): boolean {
    return this.#bounds.areas?.meets(point, point) === true;
  }

  /** Whether a line touches an area to avoid, or leaves the permitted latitudes. */
  isOutOfBounds(a: Point, b: Point): boolean {
    const { north, south, areas } = this.#bounds;
    if (Math.min(a.y, b.y) < north || Math.max(a.y, b.y) > south) return true;
    return areas?.meets(a, b) === true;
  }

  #charted(level: number, x: number, y: number): BlockClass {
    const key = keyOf(level, x, y);
    const slot = slotOf(key);
    if (this.#lastKeys[slot] === key) return this.#classFrom(this.#lastViews[slot]!, level, x, y);
    const up = TOP_LEVEL - level;
    let view = this.rootAt(x >> up, y >> up);
    while (level < view.cellLevel) {
      const i = indexIn(view, 0, level, x, y);
      const part = partOf(i, view.square.width);
      if (view.square.hasFiner[part] !== 1) break;
      const kind = this.#classIn(view, 0, i);
      if (kind !== MIXED) return kind;
      view = this.finerAt(view, part);
    }
    this.#lastKeys[slot] = key;
    this.#lastViews[slot] = view;
    return this.#classFrom(view, level, x, y);
  }

  /** Class of a block according to the square that covers its ground. */
  #classFrom(view: View, level: number, x: number, y: number): BlockClass {
    const above = Math.max(0, level - view.cellLevel);
    const i = indexIn(view, above, level, x, y);
    const kind = this.#classIn(view, above, i);
    if (kind !== MIXED || above > 0) return kind;
    // If a single cell is mixed, only a finer square can divide it.
    const { width, hasFiner } = view.square;
    return level === view.cellLevel && hasFiner[partOf(i, width)] === 1 ? MIXED : BLOCKED;
  }

  /** The most detailed view of the ground of one finest square, if the trip has found it. */
  knownView(x: number, y: number): View | undefined {
    const key = keyOf(0, x & ((1 << WORLD_LEVEL) - 1), y);
    const slot = slotOf(key);
    return this.#lastKeys[slot] === key ? this.#lastViews[slot] : undefined;
  }

  #classIn({ cells, kinds, met }: View, level: number, i: number): BlockClass {
    const entry = entryAt(cells, level, i);
    this.#metFlags = met[entry]!;
    return kinds[entry] as BlockClass;
  }

  /**
   * SEA_FLAGS of any cell of a free block, and in the upper 16 bits those that all cells have. If
   * the coarse cells have one of `interesting`, finer squares are read down to zoom 11.
   */
  flagsOf(level: number, x: number, y: number, interesting: number): number {
    const wrapped = x & ((1 << (WORLD_LEVEL - level)) - 1);
    const up = TOP_LEVEL - level;
    let view = this.rootAt(wrapped >> up, y >> up);
    for (;;) {
      const { cellLevel, square, cells } = view;
      const above = Math.max(0, level - cellLevel);
      const i = indexIn(view, above, level, wrapped, y);
      const entry = entryAt(cells, above, i);
      const any = cells.anyFlags[entry]!;
      const isDeepEnough = level > cellLevel || cellLevel <= FINEST_FLAG_LEVEL;
      const part = partOf(i, square.width);
      if ((any & interesting) === 0 || isDeepEnough || square.hasFiner[part] !== 1) {
        return any | (cells.allFlags[entry]! << 16);
      }
      view = this.finerAt(view, part);
    }
  }

  /**
   * Whether there is a fairway, or water without charted depths, anywhere in the square around a
   * block: the square of zoom 11, or the finest that is larger than the block. Water without charted
   * depths counts only in squares of zoom 8 that have a fairway. The coarser square contains the
   * answer, so this square is not read. The result does not depend on what the trip has read before.
   */
  isDearAround(level: number, x: number, y: number): boolean {
    const wrapped = x & ((1 << (WORLD_LEVEL - level)) - 1);
    const up = TOP_LEVEL - level;
    let view = this.rootAt(wrapped >> up, y >> up);
    let dear: number = SEA_FLAGS.fairway;
    for (;;) {
      const { square, cells, cellLevel } = view;
      const all = cells.anyFlags[entryAt(cells, CELL_LEVELS, 0)]!;
      if ((all & dear) === 0) return false;
      const down = cellLevel + CELL_LEVELS - FINER_LEVELS - level;
      if (cellLevel <= FINEST_FLAG_LEVEL || down < 0) return true;
      const part = ((y >> down) - square.y * 8) * 8 + (wrapped >> down) - square.x * 8;
      const inPart = cells.anyFlags[entryAt(cells, CELL_LEVELS - FINER_LEVELS, part)]!;
      if ((inPart & dear) === 0) return false;
      const isKnown = square.hasFiner[part] !== 1 || cellLevel - FINER_LEVELS <= FINEST_FLAG_LEVEL;
      if (isKnown) return true;
      if (view.cellLevel < TOP_LEVEL - CELL_LEVELS)
        dear |= SEA_FLAGS.background | (SEA_FLAGS.unknownDepth & ~this.needs.forbidden);
      view = this.finerAt(view, part);
    }
  }

  /** The most detailed square for a cell among those that the trip has read. */
  knownViewOfCell(x: number, y: number): View {
    const wrapped = x & ((1 << WORLD_LEVEL) - 1);
    let view = this.rootAt(wrapped >> TOP_LEVEL, y >> TOP_LEVEL);
    for (;;) {
      const below = view.finer[partOf(indexIn(view, 0, 0, wrapped, y), view.square.width)];
      if (below === undefined) return view;
      view = below;
    }
  }

  /** The views of all squares that the trip has read. */
  *readViews(views: readonly (View | undefined)[] = this.#roots): Generator<View> {
    for (const view of views) {
      if (view === undefined) continue;
      yield view;
      yield* this.readViews(view.finer);
    }
  }

  /**
   * The most detailed square for a cell, among those with cells of a level or above. Reads it if
   * necessary.
   */
  viewOfCell(x: number, y: number, finest = 0): View {
    const wrapped = x & ((1 << WORLD_LEVEL) - 1);
    let view = this.rootAt(wrapped >> TOP_LEVEL, y >> TOP_LEVEL);
    while (view.cellLevel > finest) {
      const part = partOf(indexIn(view, 0, 0, wrapped, y), view.square.width);
      if (view.square.hasFiner[part] !== 1) break;
      view = this.finerAt(view, part);
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

  /** The finer square below a part (of 8 × 8, by rows) of a square. */
  finerAt({ square, finer }: View, part: number): View {
    const known = finer[part];
    if (known !== undefined) return known;
    const zoom = (square.zoom + FINER_LEVELS) as SeaZoom;
    const below = this.#look(zoom, square.x * 8 + (part & 7), square.y * 8 + (part >> 3));
    finer[part] = below;
    return below;
  }

  #look(zoom: SeaZoom, x: number, y: number): View {
    const square = this.#sea.square(zoom, x, y);
    if (square === undefined) throw new MissingSquare({ z: zoom, x, y });
    this.squares++;
    const cellLevel = WORLD_LEVEL - CELL_LEVELS - zoom;
    const bits = bitsOf(square.width ?? SQUARE_CELLS);
    const cells = cellTable(square);
    const finer = new Array(64).fill(undefined);
    return { square, cells, ...classesOf(cells, this.needs), cellLevel, bits, finer };
  }
}

/** The class and the forbidden flags of each entry of a table. */
function classesOf(cells: CellTable, needs: Needs): Pick<View, 'kinds' | 'met'> {
  const { depthCode, clearanceCode, forbidden } = needs;
  const kinds = new Uint8Array(cells.least.length).fill(BLOCKED);
  const met = new Uint16Array(cells.least.length);
  for (let i = 0; i < kinds.length; i++) {
    if (cells.most[i]! < depthCode) continue;
    met[i] = cells.anyFlags[i]! & forbidden;
    if ((cells.allFlags[i]! & forbidden) !== 0) continue;
    const isFree =
      cells.least[i]! >= depthCode && cells.clearance[i]! >= clearanceCode && met[i] === 0;
    kinds[i] = isFree ? FREE : MIXED;
  }
  return { kinds, met };
}

/** The flags of a value of the planes of a square. */
export const flagsOfCell = ({ cells }: View, i: number): number =>
  cells.anyFlags[entryAt(cells, 0, i)]!;

/** Whether a block is within `half` cells of a place, by columns and by rows. */
function isNear(spot: Point, half: number, level: number, x: number, y: number): boolean {
  const size = 1 << level;
  const near = unwrapNear((x + 0.5) * size, spot.x);
  const away = Math.max(Math.abs(near - spot.x), Math.abs((y + 0.5) * size - spot.y));
  return away <= half + size / 2;
}

/**
 * Index of a block in the summaries of a square, `above` levels above its cells; x is within the
 * world. For a block smaller than a cell, the index of the cell.
 */
export function indexIn(
  { square, cellLevel, bits: most }: View,
  above: number,
  level: number,
  x: number,
  y: number,
): number {
  const bits = Math.min(most, CELL_LEVELS - above);
  const down = cellLevel + CELL_LEVELS - bits - level;
  return (((y >> down) - (square.y << bits)) << bits) + (x >> down) - (square.x << bits);
}

/** Key of a square whose cells fit a level: the coarsest one with cells that are no larger. */
function keyOf(level: number, x: number, y: number): number {
  const cellLevel = level >= 12 ? 12 : level - (level % FINER_LEVELS);
  const up = cellLevel + CELL_LEVELS - level;
  return ((cellLevel / FINER_LEVELS) << 28) | ((x >> up) << 14) | (y >> up);
}

function slotOf(key: number): number {
  const bits = Math.imul(key, 0x9e3779b1);
  return (bits ^ (bits >>> 15)) & (LAST_VIEWS - 1);
}
