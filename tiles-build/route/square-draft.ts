// A square while its finer squares are made: its own cells, in which each finer square sets the
// least and the most of its cells, eight by eight. Squares painted with fewer cells keep them until
// then.

import { NEVER_DEEP, OPEN_SKY } from '../../shared/route/depth-code.ts';
import {
  FINER_SQUARES,
  type Hazards,
  LANE_CODES,
  type Notice,
  type SeaSquare,
  type SeaZoom,
  SQUARE_CELLS,
} from '../../shared/route/sea.ts';
import { type Cells, joinedLanes } from './canvas.ts';

/** Cells of a coarser square along the side of a finer square. */
export const BLOCK_CELLS = SQUARE_CELLS / FINER_SQUARES;
export const BLOCK_COUNT = BLOCK_CELLS * BLOCK_CELLS;
const BLOCK_BITS = Math.log2(BLOCK_CELLS);

type Plane = Uint8Array | Uint16Array;

/** A square as cells of the coarser square: 32 × 32 of them. */
export interface Block {
  readonly least: Uint8Array;
  readonly most: Uint8Array;
  readonly clearance: Uint8Array | undefined;
  readonly flags: Uint16Array | undefined;
  readonly bearing: Uint8Array | undefined;
}

export class SquareDraft {
  readonly zoom: SeaZoom;
  readonly x: number;
  readonly y: number;
  readonly hasFiner = new Uint8Array(FINER_SQUARES * FINER_SQUARES);
  #width: number;
  #least: Uint8Array;
  #most: Uint8Array;
  #clearance: Uint8Array | undefined;
  #flags: Uint16Array | undefined;
  #bearing: Uint8Array | undefined;

  constructor(zoom: SeaZoom, x: number, y: number, cells: Cells) {
    this.zoom = zoom;
    this.x = x;
    this.y = y;
    this.#width = cells.width;
    this.#least = cells.depth;
    this.#most = cells.depth;
    this.#clearance = cells.clearance;
    this.#flags = cells.flags;
    this.#bearing = cells.bearing;
  }

  /** Sets the part of this square that a finer square's block covers. */
  put(block: Block, column: number, row: number): void {
    this.#enlarge();
    if (this.#most === this.#least && !isEqual(block.least, block.most)) {
      this.#most = this.#least.slice();
    }
    const count = SQUARE_CELLS * SQUARE_CELLS;
    if (block.clearance) this.#clearance ??= new Uint8Array(count).fill(OPEN_SKY);
    if (block.flags) this.#flags ??= new Uint16Array(count);
    if (block.bearing) this.#bearing ??= new Uint8Array(count).fill(LANE_CODES.none);
    const corner = row * BLOCK_CELLS * SQUARE_CELLS + column * BLOCK_CELLS;
    lay(block.least, this.#least, corner);
    if (this.#most !== this.#least) lay(block.most, this.#most, corner);
    if (this.#clearance) lay(block.clearance ?? SKY, this.#clearance, corner);
    if (this.#flags) lay(block.flags ?? NOTHING, this.#flags, corner);
    if (this.#bearing) lay(block.bearing ?? NO_LANES, this.#bearing, corner);
  }

  block(): Block {
    const bytes = (plane: Uint8Array, join: Join) =>
      reduced(plane, new Uint8Array(BLOCK_COUNT), this.#width, join);
    const flags = this.#flags;
    const isSame = this.#most === this.#least;
    const most = isSame ? new Uint8Array(BLOCK_COUNT) : bytes(this.#most, MOST);
    const least = new Uint8Array(BLOCK_COUNT);
    reduced(this.#least, least, this.#width, LEAST, isSame ? most : undefined);
    return {
      least,
      most,
      clearance: this.#clearance && bytes(this.#clearance, LEAST),
      flags: flags && reduced(flags, new Uint16Array(BLOCK_COUNT), this.#width, ANY),
      bearing: this.#bearing && bytes(this.#bearing, LANES),
    };
  }

  /** Whether coarser cells contain the same information: each eight by eight cells are equal. */
  isUniformAs({ least, most }: Block): boolean {
    if (!isEqual(least, most)) return false;
    const others = [this.#clearance, this.#flags, this.#bearing];
    return others.every((plane) => plane === undefined || isUniform(plane, this.#width));
  }

  finish(hazards: Hazards, notices: readonly Notice[] = []): SeaSquare {
    const [clearance, flags, laneBearing] = [this.#clearance, this.#flags, this.#bearing];
    return {
      zoom: this.zoom,
      x: this.x,
      y: this.y,
      width: this.#width,
      leastDepth: this.#least,
      mostDepth: this.#most,
      ...(clearance && !isAll(clearance, OPEN_SKY) && { clearance }),
      ...(flags && !isAll(flags, 0) && { flags }),
      ...(laneBearing && !isAll(laneBearing, LANE_CODES.none) && { laneBearing }),
      hasFiner: this.hasFiner,
      hazards,
      ...(notices.length > 0 && { notices }),
    };
  }

  #enlarge(): void {
    if (this.#width === SQUARE_CELLS) return;
    const isSame = this.#most === this.#least;
    const bytes = (plane: Uint8Array | undefined) => plane && enlarged(plane, this.#width);
    this.#least = enlarged(this.#least, this.#width);
    this.#most = isSame ? this.#least : enlarged(this.#most, this.#width);
    this.#clearance = bytes(this.#clearance);
    this.#flags = this.#flags && enlarged(this.#flags, this.#width);
    this.#bearing = bytes(this.#bearing);
    this.#width = SQUARE_CELLS;
  }
}

const SKY = new Uint8Array(BLOCK_COUNT).fill(OPEN_SKY);
const NOTHING = new Uint8Array(BLOCK_COUNT);
const NO_LANES = new Uint8Array(BLOCK_COUNT).fill(LANE_CODES.none);

/** A block of a single depth. */
export function uniformBlock(code: number, flag: number): Block {
  const least = new Uint8Array(BLOCK_COUNT).fill(code);
  const flags = code === NEVER_DEEP ? undefined : new Uint16Array(BLOCK_COUNT).fill(flag);
  return { least, most: least, clearance: undefined, flags, bearing: undefined };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Whether all cells have one value, as in most of the sea. Compares the cells with the same cells
 * shifted by one, which tests many cells at a time.
 */
function isEven({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: step }: Plane): boolean {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return bytes.compare(bytes, step, byteLength, 0, byteLength - step) === 0;
}

const isAll = (plane: Plane, value: number): boolean => plane[0] === value && isEven(plane);

function isUniform(plane: Plane, width: number): boolean {
  if (isEven(plane)) return true;
  const side = Math.max(1, width / BLOCK_CELLS);
  for (let y = 0, i = 0; y < width; y++) {
    const row = (y - (y % side)) * width;
    for (let x = 0; x < width; x++, i++) if (plane[i] !== plane[row + x - (x % side)]) return false;
  }
  return true;
}

function enlarged<T extends Plane>(cells: T, width: number): T {
  const scale = SQUARE_CELLS / width;
  const count = SQUARE_CELLS * SQUARE_CELLS;
  const into = (cells instanceof Uint16Array ? new Uint16Array(count) : new Uint8Array(count)) as T;
  for (let y = 0, i = 0; y < SQUARE_CELLS; y++) {
    const row = Math.floor(y / scale) * width;
    for (let column = 0; column < width; column++, i += scale) {
      into.fill(cells[row + column]!, i, i + scale);
    }
  }
  return into;
}

function lay(block: Plane, plane: Plane, corner: number): void {
  for (let i = 0, at = corner; i < BLOCK_COUNT; at += SQUARE_CELLS - BLOCK_CELLS) {
    for (const end = i + BLOCK_CELLS; i < end; i++, at++) plane[at] = block[i]!;
  }
}

/** The rule that joins two cells into one. */
type Join = typeof LEAST | typeof MOST | typeof ANY | typeof LANES;
const LEAST = 0;
const MOST = 1;
const ANY = 2;
const LANES = 3;

/**
 * One value for each block of cells. A square with fewer cells than one block is one block.
 *
 * @param most also gets the most of each block, so that one pass makes both
 */
function reduced<T extends Plane>(plane: T, into: T, width: number, join: Join, most?: T): T {
  if (isEven(plane)) {
    into.fill(plane[0]!);
    most?.fill(plane[0]!);
    return into;
  }
  if (width <= BLOCK_CELLS) {
    const scale = BLOCK_CELLS / width;
    for (let y = 0, i = 0; y < BLOCK_CELLS; y++) {
      const row = Math.floor(y / scale) * width;
      for (let x = 0; x < BLOCK_CELLS; x++, i++) into[i] = plane[row + Math.floor(x / scale)]!;
    }
    most?.set(into);
    return into;
  }
  const side = width / BLOCK_CELLS;
  const step = plane.BYTES_PER_ELEMENT;
  const repeated = step === 1 ? 0x01010101 : 0x00010001;
  const words = new Uint32Array(plane.buffer, plane.byteOffset, plane.byteLength >> 2);
  // Zero if a row of a block is less than a word.
  const wordsAcross = (side * step) >> 2;
  const wordsBetween = (width * step) >> 2;
  for (let at = 0; at < BLOCK_COUNT; at++) {
    const from = (at >> BLOCK_BITS) * side * width + (at & (BLOCK_CELLS - 1)) * side;
    let value = plane[from]!;
    // Most blocks and most rows of blocks have one value.
    const word = (value * repeated) >>> 0;
    let first = (from * step) >> 2;
    const isRowStart = (at & (BLOCK_CELLS - 1)) === 0;
    if (isRowStart && isRun(words, first, side * wordsBetween, word)) {
      into.fill(value, at, at + BLOCK_CELLS);
      most?.fill(value, at, at + BLOCK_CELLS);
      at += BLOCK_CELLS - 1;
      continue;
    }
    const end = first + side * wordsBetween;
    while (first < end && isRun(words, first, wordsAcross, word)) first += wordsBetween;
    if (wordsAcross > 0 && first === end) {
      into[at] = value;
      if (most !== undefined) most[at] = value;
      continue;
    }
    let largest = value;
    for (let row = from, end = from + side * width; row < end; row += width) {
      for (let i = row; i < row + side; i++) {
        const other = plane[i]!;
        if (other !== value) value = joined(value, other, join);
        if (other > largest) largest = other;
      }
    }
    into[at] = value;
    if (most !== undefined) most[at] = largest;
  }
  return into;
}

function isRun(words: Uint32Array, from: number, count: number, word: number): boolean {
  for (let i = from; i < from + count; i++) if (words[i] !== word) return false;
  return true;
}

function joined(a: number, b: number, join: Join): number {
  if (join === LEAST) return a < b ? a : b;
  if (join === MOST) return a > b ? a : b;
  return join === ANY ? a | b : joinedLanes(a, b);
}
