// How much of each pixel a shape covers: exact signed areas accumulated edge by edge (the method
// known from font rasterisers), summed along rows when the shape is complete.

import { type Ink, type Path, TILE_PIXELS } from '../display-list.ts';
import type { Surface } from './surface.ts';

const SIZE = TILE_PIXELS;
// Two columns more than pixels: an edge at the right border writes one past its own column, and
// must not leak into the next row.
const STRIDE = SIZE + 2;
/** Columns of a piece of a row: a row has 32 of them, a bit each. */
const PIECE_SHIFT = 3;
const PIECE = 1 << PIECE_SHIFT;
/** What covers less of a pixel than this is not seen. */
const LEAST_COVERED = 1 / 512;

/** Accumulates edges of one shape at a time; reused for every shape of a tile. */
export class Coverage {
  readonly #cells = new Float32Array(STRIDE * SIZE);
  /** By row, which pieces an edge has passed: in all others coverage is that of the piece before. */
  readonly #passed = new Int32Array(SIZE);
  #top = SIZE;
  #bottom = 0;

  /** Add the edges of one ring; the last point joins the first. Holes wind the other way. */
  addRing(path: Path): void {
    const n = path.length;
    if (n < 6) return;
    let x0 = path[n - 2]!;
    let y0 = path[n - 1]!;
    for (let i = 0; i < n; i += 2) {
      const x1 = path[i]!;
      const y1 = path[i + 1]!;
      this.addEdge(x0, y0, x1, y1);
      x0 = x1;
      y0 = y1;
    }
  }

  /** One directed edge; parts outside the tile are cut or moved to its border, keeping the sum. */
  addEdge(xa: number, ya: number, xb: number, yb: number): void {
    if (ya === yb) return;
    const sign = ya < yb ? 1 : -1;
    let x0 = ya < yb ? xa : xb;
    let y0 = ya < yb ? ya : yb;
    let x1 = ya < yb ? xb : xa;
    let y1 = ya < yb ? yb : ya;
    if (y1 <= 0 || y0 >= SIZE) return;
    const slope = (x1 - x0) / (y1 - y0);
    if (y0 < 0) {
      x0 -= y0 * slope;
      y0 = 0;
    }
    if (y1 > SIZE) {
      x1 -= (y1 - SIZE) * slope;
      y1 = SIZE;
    }
    if (y1 <= y0) return;
    this.#top = Math.min(this.#top, Math.floor(y0));
    this.#bottom = Math.max(this.#bottom, Math.ceil(y1));
    this.#addWithinRows(x0, y0, x1, y1, slope, sign);
  }

  /**
   * Splits where the edge crosses the left or right border, so that each piece is simple. Plain
   * numbers rather than an object, as it runs for every edge that is painted.
   */
  #addWithinRows(x0: number, y0: number, x1: number, y1: number, slope: number, sign: number) {
    if (x0 >= SIZE && x1 >= SIZE) return;
    if (x0 <= 0 && x1 <= 0) {
      this.#walk(0, y0, y1, 0, sign);
      return;
    }
    for (const border of [0, SIZE]) {
      if ((x0 < border && x1 > border) || (x0 > border && x1 < border)) {
        const y = y0 + (border - x0) / slope;
        if (y > y0 && y < y1) {
          this.#addWithinRows(x0, y0, border, y, slope, sign);
          this.#addWithinRows(border, y, x1, y1, slope, sign);
          return;
        }
      }
    }
    const left = Math.min(Math.max(x0, 0), SIZE);
    const right = Math.min(Math.max(x1, 0), SIZE);
    this.#walk(left, y0, y1, (right - left) / (y1 - y0), sign);
  }

  /** Row by row, spreads the edge's signed height over the pixels it passes; x is within 0 to 256. */
  #walk(x0: number, y0: number, y1: number, slope: number, sign: number): void {
    const cells = this.#cells;
    let x = x0;
    const last = Math.min(SIZE, Math.ceil(y1));
    for (let row = Math.floor(y0); row < last; row++) {
      const from = Math.max(row, y0);
      const to = Math.min(row + 1, y1);
      const height = to - from;
      if (height <= 0) continue;
      // The last bits of an almost level edge's slope can lead it beyond the tile.
      const next = Math.min(Math.max(x + slope * height, 0), SIZE);
      const signed = sign * height;
      const left = Math.min(x, next);
      const right = Math.max(x, next);
      const base = row * STRIDE;
      const first = Math.floor(left);
      const end = Math.ceil(right);
      this.#passed[row]! |= piecesBetween(first, end > first ? end : first + 1);
      if (end <= first + 1) {
        // Within one pixel column: a trapezoid.
        const middle = (left + right) / 2 - first;
        cells[base + first]! += signed * (1 - middle);
        cells[base + first + 1]! += signed * middle;
      } else {
        // Across several columns: triangle, full slices, triangle.
        const run = 1 / (right - left);
        const into = 1 - (left - first);
        const head = 0.5 * run * into * into;
        cells[base + first]! += signed * head;
        if (end === first + 2) {
          const tail = right - end + 1;
          const rest = 0.5 * run * tail * tail;
          cells[base + first + 1]! += signed * (1 - head - rest);
          cells[base + first + 2]! += signed * rest;
        } else {
          const second = run * (1.5 - (left - first));
          cells[base + first + 1]! += signed * (second - head);
          for (let column = first + 2; column < end - 1; column++) {
            cells[base + column]! += signed * run;
          }
          const soFar = second + (end - first - 3) * run;
          const tail = right - end + 1;
          const rest = 0.5 * run * tail * tail;
          cells[base + end - 1]! += signed * (1 - soFar - rest);
          cells[base + end]! += signed * rest;
        }
      }
      x = next;
    }
  }

  /** Lay a colour over what the shape covers, then forget it. Overlapping parts count once. */
  flush(surface: Surface, ink: Ink): void {
    const bottom = Math.min(SIZE, this.#bottom);
    for (let row = Math.max(0, this.#top); row < bottom; row++) {
      const passed = this.#passed[row]!;
      if (passed !== 0) this.#flushRow(surface, ink, row, passed);
    }
    this.#top = SIZE;
    this.#bottom = 0;
  }

  #flushRow(surface: Surface, ink: Ink, row: number, passed: number): void {
    const cells = this.#cells;
    const base = row * STRIDE;
    let sum = 0;
    let column = 0;
    for (let pieces = passed; pieces !== 0; pieces &= pieces - 1) {
      const first = (31 - Math.clz32(pieces & -pieces)) << PIECE_SHIFT;
      layOver(surface, ink, row, column, first, sum);
      column = first + PIECE;
      for (let at = first; at < column; at++) {
        sum += cells[base + at]!;
        cells[base + at] = 0;
        const covered = sum < 0 ? -sum : sum;
        if (covered > LEAST_COVERED) {
          const alpha = covered > 1 ? ink.alpha : covered * ink.alpha;
          surface.blend(row * SIZE + at, ink.red, ink.green, ink.blue, alpha);
        }
      }
    }
    layOver(surface, ink, row, column, SIZE, sum);
    // Edges along the right border.
    cells[base + SIZE] = 0;
    cells[base + SIZE + 1] = 0;
    this.#passed[row] = 0;
  }
}

/** Lays a colour over pixels of a row that are all covered alike. */
function layOver(
  surface: Surface,
  ink: Ink,
  row: number,
  from: number,
  to: number,
  sum: number,
): void {
  const covered = sum < 0 ? -sum : sum;
  if (from >= to || covered <= LEAST_COVERED) return;
  surface.blendSpan(row, from, to, ink, covered > 1 ? ink.alpha : covered * ink.alpha);
}

/** Bits of the pieces from one column to another, both included. */
function piecesBetween(first: number, last: number): number {
  const end = last >= SIZE ? SIZE / PIECE - 1 : last >> PIECE_SHIFT;
  const begin = first >= SIZE ? end : first >> PIECE_SHIFT;
  return (-1 << begin) & (-1 >>> (SIZE / PIECE - 1 - end));
}
