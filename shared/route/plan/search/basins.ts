// Whether two places are in the same basin: connected water that is deep enough. The lateral clearance
// of the vessel is ignored. Coarse cells are examined first. If a path over cells that may be passable
// exists, only the cells on that path are divided. This can prove that a basin is closed without
// examining all of its shore.

import { BLOCKED, FREE } from '../geometry/blocks.ts';
import { type Point, WORLD_CELLS, WORLD_LEVEL } from '../geometry/plane.ts';
import { WorkMeter } from '../read/pause.ts';
import type { Water } from '../read/water.ts';

export type Joined = 'joined' | 'apart' | 'unknown';

/** Zooms of pieces: parts of squares of zooms 2 to 11, and whole squares of zoom 14. */
const FIRST_ZOOM = 5;
const LAST_ZOOM = 17;
const ZOOM_STEP = 3;
/** Cells along the side of a part of a square, and of a whole square of zoom 14. */
const PART_CELLS = 32;
const SQUARE_CELLS = 256;
/** Maximum number of whole squares, because they must be read. Then the result is "unknown". */
const MOST_SQUARES = 120;
/** Maximum number of basins examined for one path. */
const MOST_TAKEN = 20_000;
/** Maximum number of paths that are tried. */
const MOST_PATHS = 400;

/** A part of a square, or a whole square, whose cells are numbered by their basin. */
interface Piece {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  /** Cells along each side, and the level of the cells. */
  readonly cells: number;
  readonly level: number;
  /** Basin of each cell of the piece, from 1; 0 is closed. */
  readonly labels: Uint16Array;
  /** Number of the first basin among the basins of all pieces, minus one. */
  readonly first: number;
  /**
   * Whether all of a basin is free, so that finer squares cannot divide it. One entry per basin.
   */
  readonly isSure: readonly boolean[];
  readonly canRefine: boolean;
}

/** A piece while its cells are classified: cells along each side, and their level. */
interface Frame {
  readonly classes: Uint8Array;
  readonly cells: number;
  readonly level: number;
}

/** Cells examined between two pauses. They take some milliseconds. */
const CELLS_AT_ONCE = 25_000;

/** Computes whether water connects two points. After MissingSquare or Pause, call it again. */
export class Basins {
  readonly #water: Water;
  readonly #pieces = new Map<number, Piece | 'refined'>();
  /** Neighbours of each basin, as far as they were computed. */
  readonly #near = new Map<number, readonly number[]>();
  readonly #owners: Piece[] = [];
  readonly #toRefine: Piece[] = [];
  readonly #meter = new WorkMeter(CELLS_AT_ONCE);
  #squares = 0;
  #paths = 0;

  constructor(water: Water) {
    this.#water = water;
  }

  /** @throws MissingSquare, Pause */
  joined(from: Point, to: Point): Joined {
    for (;;) {
      while (this.#toRefine.length > 0) {
        const piece = this.#toRefine.at(-1)!;
        this.#refine(piece);
        this.#toRefine.pop();
        if (piece.zoom + ZOOM_STEP === LAST_ZOOM && ++this.#squares > MOST_SQUARES) {
          return 'unknown';
        }
      }
      const path = this.#path(from, to);
      if (++this.#paths > MOST_PATHS) return 'unknown';
      if (path === 'unknown' || path === 'apart') return path;
      const unsure = path.filter(({ piece, basin }) => piece.canRefine && !piece.isSure[basin]);
      if (unsure.length === 0) return 'joined';
      for (const piece of new Set(unsure.map(({ piece }) => piece))) this.#toRefine.push(piece);
    }
  }

  /** Returns the pieces from one place to the other, by the path with the fewest pieces. */
  #path(from: Point, to: Point): 'apart' | 'unknown' | { piece: Piece; basin: number }[] {
    const [start, goal] = [this.#basinAt(from), this.#basinAt(to)];
    if (start === 0 || goal === 0) return 'apart';
    const sides = [new Side(start), new Side(goal)] as const;
    if (start === goal) return [this.#described(start)];
    for (let taken = 0; taken < MOST_TAKEN; taken++) {
      for (const [i, side] of sides.entries()) {
        const basin = side.take();
        if (basin === undefined) return 'apart';
        const other = sides[1 - i]!;
        for (const next of this.#around(basin)) {
          if (!side.add(next, basin)) continue;
          if (!other.has(next)) continue;
          const numbers = [...side.wayTo(next), ...other.wayTo(next)];
          return [...new Set(numbers)].map((number) => this.#described(number));
        }
      }
    }
    return 'unknown';
  }

  #refine(piece: Piece): void {
    for (let basin = 1; basin < piece.isSure.length; basin++) {
      // The neighbour relation is symmetric. These neighbours will get finer ones.
      for (const next of this.#around(piece.first + basin)) this.#near.delete(next);
    }
    this.#pieces.set(keyOf(piece.zoom, piece.x, piece.y), 'refined');
  }

  #described(number: number): { piece: Piece; basin: number } {
    const piece = this.#owners[number]!;
    return { piece, basin: number - piece.first };
  }

  #basinAt({ x, y }: Point): number {
    const [cellX, cellY] = [wrapped(Math.floor(x)), Math.floor(y)];
    return numberAt(this.#pieceAt(cellX, cellY), cellX, cellY);
  }

  /** The basins of other pieces that touch a basin along the sides of its piece. */
  #around(number: number): readonly number[] {
    let near = this.#near.get(number);
    if (near === undefined) {
      this.#meter.check();
      near = this.#findAround(number);
      this.#near.set(number, near);
      this.#meter.add(4 * this.#owners[number]!.cells);
    }
    return near;
  }

  #findAround(number: number): readonly number[] {
    const { piece, basin } = this.#described(number);
    const { cells, level, labels } = piece;
    const size = 1 << level;
    const [left, top] = [piece.x * cells * size, piece.y * cells * size];
    const found = new Set<number>();
    for (let side = 0; side < 4; side++) {
      const isUpright = side < 2;
      const isFar = side % 2 === 1;
      const across = (isUpright ? left : top) + (isFar ? cells * size : -1);
      if (!isUpright && (across < 0 || across >= WORLD_CELLS)) continue;
      let beyond: Piece | undefined;
      for (let i = 0; i < cells; i++) {
        const edge = isFar ? cells - 1 : 0;
        const own = isUpright ? labels[i * cells + edge] : labels[edge * cells + i];
        if (own !== basin) continue;
        const start = (isUpright ? top : left) + i * size;
        // Cells on the other side may be smaller than this one, or one larger cell.
        for (let at = start; at < start + size; ) {
          const [x, y] = isUpright ? [wrapped(across), at] : [at, across];
          if (beyond === undefined || !holds(beyond, x, y)) beyond = this.#pieceAt(x, y);
          const next = numberAt(beyond, x, y);
          if (next !== 0) found.add(next);
          at += 1 << beyond.level;
        }
      }
    }
    return [...found];
  }

  /** The finest piece that is used around a cell. */
  #pieceAt(x: number, y: number): Piece {
    for (let zoom = FIRST_ZOOM; ; zoom += ZOOM_STEP) {
      // The last pieces are whole squares, at the places of the pieces of the zoom before.
      const shift = WORLD_LEVEL - Math.min(zoom, LAST_ZOOM - ZOOM_STEP);
      const [column, row] = [x >> shift, y >> shift];
      const key = keyOf(zoom, column, row);
      let piece = this.#pieces.get(key);
      if (piece === 'refined') continue;
      if (piece === undefined) {
        this.#meter.check();
        piece = this.#labelled(zoom, column, row);
        this.#pieces.set(key, piece);
        this.#meter.add(piece.cells ** 2);
      }
      return piece;
    }
  }

  #labelled(zoom: number, x: number, y: number): Piece {
    const isSquare = zoom === LAST_ZOOM;
    const cells = isSquare ? SQUARE_CELLS : PART_CELLS;
    const level = isSquare ? 0 : WORLD_LEVEL - zoom - Math.log2(PART_CELLS);
    const classes = new Uint8Array(cells * cells).fill(BLOCKED);
    this.#classify({ classes, cells, level }, Math.log2(cells), x, y, 0);
    if (isSquare) {
      for (let i = 0; i < classes.length; i++) if (classes[i] !== FREE) classes[i] = BLOCKED;
    }
    const labels = new Uint16Array(cells * cells);
    const isSure = [true];
    let hasUnsure = false;
    const stack: number[] = [];
    for (let i = 0; i < classes.length; i++) {
      if (classes[i] === BLOCKED || labels[i] !== 0) continue;
      const label = isSure.length;
      let sure = true;
      labels[i] = label;
      stack.push(i);
      while (stack.length > 0) {
        const cell = stack.pop()!;
        if (classes[cell] !== FREE) sure = false;
        const column = cell % cells;
        for (let k = 0; k < 4; k++) {
          if ((k === 0 && column === 0) || (k === 1 && column === cells - 1)) continue;
          const next =
            k === 0 ? cell - 1 : k === 1 ? cell + 1 : k === 2 ? cell - cells : cell + cells;
          if (next < 0 || next >= classes.length) continue;
          if (classes[next] === BLOCKED || labels[next] !== 0) continue;
          labels[next] = label;
          stack.push(next);
        }
      }
      isSure.push(sure);
      hasUnsure ||= !sure;
    }
    const first = this.#owners.length;
    const piece = { zoom, x, y, cells, level, labels, first, isSure, canRefine: hasUnsure };
    for (let i = 0; i < isSure.length; i++) this.#owners.push(piece);
    return piece;
  }

  /**
   * Classes of a block of a piece's cells, from its first cell on. Equal cells are set together.
   *
   * @param up levels from the cells to the block
   */
  #classify(frame: Frame, up: number, x: number, y: number, first: number): void {
    const { classes, cells, level } = frame;
    const kind = this.#water.classOf(level + up, x, y);
    if (kind === BLOCKED) return;
    if (kind === FREE || up === 0) {
      const size = 1 << up;
      for (let i = 0; i < size; i++) {
        const from = first + i * cells;
        classes.fill(kind, from, from + size);
      }
      return;
    }
    const half = 1 << (up - 1);
    for (let k = 0; k < 4; k++) {
      const [i, j] = [k & 1, k >> 1];
      this.#classify(frame, up - 1, 2 * x + i, 2 * y + j, first + half * (i + j * cells));
    }
  }
}

/** The basins found from one of the two ends, in the order of discovery. */
class Side {
  readonly #parents: Map<number, number>;
  readonly #queue: number[];
  #next = 0;

  constructor(start: number) {
    this.#parents = new Map([[start, start]]);
    this.#queue = [start];
  }

  take(): number | undefined {
    return this.#queue[this.#next++];
  }

  has(basin: number): boolean {
    return this.#parents.has(basin);
  }

  /** @returns whether the basin is new */
  add(basin: number, parent: number): boolean {
    if (this.#parents.has(basin)) return false;
    this.#parents.set(basin, parent);
    this.#queue.push(basin);
    return true;
  }

  wayTo(basin: number): number[] {
    const way = [basin];
    for (let at = basin; this.#parents.get(at) !== at; ) {
      at = this.#parents.get(at)!;
      way.push(at);
    }
    return way;
  }
}

const wrapped = (x: number): number => x & (WORLD_CELLS - 1);

const keyOf = (zoom: number, x: number, y: number): number => (zoom * 2 ** 14 + y) * 2 ** 14 + x;

function holds({ x, y, cells, level }: Piece, cellX: number, cellY: number): boolean {
  const bits = level + Math.log2(cells);
  return cellX >> bits === x && cellY >> bits === y;
}

/** Number of the basin at a cell of level 0, among the basins of all pieces; 0: closed. */
function numberAt({ cells, level, labels, first }: Piece, x: number, y: number): number {
  const label = labels[((y >> level) & (cells - 1)) * cells + ((x >> level) & (cells - 1))]!;
  return label === 0 ? 0 : first + label;
}
