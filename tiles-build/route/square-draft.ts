// A square while its finer ones are made: its own cells, over which each finer square lays the least
// and the most of its cells, eight by eight.

import { NEVER_DEEP, OPEN_SKY } from '../../shared/route/depth-code.ts';
import {
  FINER_SQUARES,
  type Hazards,
  type SeaSquare,
  type SeaZoom,
  SQUARE_CELLS,
} from '../../shared/route/sea.ts';
import { type Cells, NO_BEARING } from './canvas.ts';

const COUNT = SQUARE_CELLS * SQUARE_CELLS;
/** Cells of a coarser square along a finer one's side. */
export const BLOCK_CELLS = SQUARE_CELLS / FINER_SQUARES;
const BLOCK_COUNT = BLOCK_CELLS * BLOCK_CELLS;

/** A square as coarser cells show it: 32 × 32 of them. */
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
  #least: Uint8Array;
  #most: Uint8Array;
  #clearance: Uint8Array | undefined;
  #flags: Uint16Array | undefined;
  #bearing: Uint8Array | undefined;

  constructor(zoom: SeaZoom, x: number, y: number, cells: Cells) {
    this.zoom = zoom;
    this.x = x;
    this.y = y;
    const scale = SQUARE_CELLS / cells.width;
    this.#least = enlarged(cells.depth, new Uint8Array(COUNT), scale);
    this.#most = this.#least;
    const bytes = (plane: Uint8Array | undefined) =>
      plane && enlarged(plane, new Uint8Array(COUNT), scale);
    this.#clearance = bytes(cells.clearance);
    this.#flags = cells.flags && enlarged(cells.flags, new Uint16Array(COUNT), scale);
    this.#bearing = bytes(cells.bearing);
  }

  /** Lay a finer square's block over its part. */
  put(block: Block, column: number, row: number): void {
    if (this.#most === this.#least && !isEqual(block.least, block.most)) {
      this.#most = this.#least.slice();
    }
    if (block.clearance) this.#clearance ??= new Uint8Array(COUNT).fill(OPEN_SKY);
    if (block.flags) this.#flags ??= new Uint16Array(COUNT);
    if (block.bearing) this.#bearing ??= new Uint8Array(COUNT);
    const corner = row * BLOCK_CELLS * SQUARE_CELLS + column * BLOCK_CELLS;
    lay(block.least, this.#least, corner);
    if (this.#most !== this.#least) lay(block.most, this.#most, corner);
    if (this.#clearance) lay(block.clearance ?? SKY, this.#clearance, corner);
    if (this.#flags) lay(block.flags ?? NOTHING, this.#flags, corner);
    if (this.#bearing) lay(block.bearing ?? NOTHING, this.#bearing, corner);
  }

  block(): Block {
    const [clearance, flags, bearing] = [this.#clearance, this.#flags, this.#bearing];
    return {
      least: reduced(this.#least, new Uint8Array(BLOCK_COUNT), Math.min),
      most: reduced(this.#most, new Uint8Array(BLOCK_COUNT), Math.max),
      clearance: clearance && reduced(clearance, new Uint8Array(BLOCK_COUNT), Math.min),
      flags: flags && reduced(flags, new Uint16Array(BLOCK_COUNT), (a, b) => a | b),
      bearing:
        bearing &&
        reduced(bearing, new Uint8Array(BLOCK_COUNT), (a, b) => (a === b ? a : NO_BEARING)),
    };
  }

  /** Whether coarser cells say as much: every eight by eight cells are all alike. */
  saysNoMoreThan(block: Block): boolean {
    return (
      isEqual(block.least, block.most) &&
      isUniform(this.#clearance) &&
      isUniform(this.#flags) &&
      isUniform(this.#bearing)
    );
  }

  finish(hazards: Hazards): SeaSquare {
    const [clearance, flags, laneBearing] = [this.#clearance, this.#flags, this.#bearing];
    return {
      zoom: this.zoom,
      x: this.x,
      y: this.y,
      leastDepth: this.#least,
      mostDepth: this.#most,
      ...(clearance?.some((code) => code !== OPEN_SKY) && { clearance }),
      ...(flags?.some((flag) => flag !== 0) && { flags }),
      ...(laneBearing?.some((code) => code !== 0) && { laneBearing }),
      hasFiner: this.hasFiner,
      hazards,
    };
  }
}

const SKY = new Uint8Array(BLOCK_COUNT).fill(OPEN_SKY);
const NOTHING = new Uint8Array(BLOCK_COUNT);

/** A block of one depth. */
export function evenBlock(code: number, flag: number): Block {
  const least = new Uint8Array(BLOCK_COUNT).fill(code);
  const flags = code === NEVER_DEEP ? undefined : new Uint16Array(BLOCK_COUNT).fill(flag);
  return { least, most: least, clearance: undefined, flags, bearing: undefined };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || a.every((value, i) => value === b[i]);
}

function isUniform(plane: Uint8Array | Uint16Array | undefined): boolean {
  if (plane === undefined) return true;
  for (let y = 0, i = 0; y < SQUARE_CELLS; y++) {
    for (let x = 0; x < SQUARE_CELLS; x++, i++) {
      const corner = (y & ~7) * SQUARE_CELLS + (x & ~7);
      if (plane[i] !== plane[corner]) return false;
    }
  }
  return true;
}

function enlarged<T extends Uint8Array | Uint16Array>(cells: T, into: T, scale: number): T {
  if (scale === 1) return cells;
  const width = SQUARE_CELLS / scale;
  for (let y = 0, i = 0; y < SQUARE_CELLS; y++) {
    const row = Math.floor(y / scale) * width;
    for (let column = 0; column < width; column++, i += scale) {
      into.fill(cells[row + column]!, i, i + scale);
    }
  }
  return into;
}

function lay(block: Uint8Array | Uint16Array, plane: Uint8Array | Uint16Array, corner: number) {
  for (let row = 0; row < BLOCK_CELLS; row++) {
    plane.set(
      block.subarray(row * BLOCK_CELLS, (row + 1) * BLOCK_CELLS),
      corner + row * SQUARE_CELLS,
    );
  }
}

function reduced<T extends Uint8Array | Uint16Array>(
  plane: T,
  into: T,
  join: (a: number, b: number) => number,
): T {
  const side = SQUARE_CELLS / BLOCK_CELLS;
  for (let y = 0, i = 0; y < SQUARE_CELLS; y++) {
    const row = Math.floor(y / side) * BLOCK_CELLS;
    for (let x = 0; x < SQUARE_CELLS; x++, i++) {
      const at = row + Math.floor(x / side);
      const isFirst = x % side === 0 && y % side === 0;
      into[at] = isFirst ? plane[i]! : join(into[at]!, plane[i]!);
    }
  }
  return into;
}
