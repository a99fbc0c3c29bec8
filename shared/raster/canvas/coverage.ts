// Exact pixel coverage of shapes: signed areas are accumulated edge by edge (as in font
// rasterizers) and summed along rows when the shape is complete.

import { SIDE } from '../paint/commands';
import { PIXELS } from './memory';
import { blendInk, fillSpan, inkAlpha } from './surface';

// Two more columns than pixels: an edge at the right border writes one column beyond its own, which
// must not affect the next row.
const STRIDE: i32 = SIDE + 2;
/** Columns per piece. A row has 32 pieces, one bit each. */
const PIECE_SHIFT: i32 = 3;
const PIECE: i32 = 8;
/** Smaller coverage is invisible. */
const LEAST_COVERED: f64 = 1.0 / 512;

/** Signed areas, 32-bit floats. */
const CELLS: usize = memory.data(STRIDE * SIDE * 4, 16);
/**
 * For each row, the pieces that contain edges. Other pieces have the coverage of the previous
 * piece.
 */
const PASSED: usize = memory.data(SIDE * 4, 16);
/** Rows that contain edges; the end is exclusive. */
let top: i32 = SIDE;
let bottom: i32 = 0;

/**
 * Add a directed edge. Parts outside the tile are cut or moved to its border to keep the sums
 * correct.
 */
export function addEdge(xa: f64, ya: f64, xb: f64, yb: f64): void {
  if (ya === yb) return;
  const isDown = ya < yb;
  let x0 = isDown ? xa : xb;
  let y0 = isDown ? ya : yb;
  let x1 = isDown ? xb : xa;
  let y1 = isDown ? yb : ya;
  if (y1 <= 0 || y0 >= SIDE) return;
  const slope = (x1 - x0) / (y1 - y0);
  if (y0 < 0) {
    x0 -= y0 * slope;
    y0 = 0;
  }
  if (y1 > SIDE) {
    x1 -= (y1 - SIDE) * slope;
    y1 = SIDE;
  }
  if (y1 <= y0) return;
  top = min(top, <i32>floor(y0));
  bottom = max(bottom, <i32>ceil(y1));
  addWithinRows(x0, y0, x1, y1, slope, isDown ? 1 : -1);
}

/** Split an edge at the left and right border. */
function addWithinRows(x0: f64, y0: f64, x1: f64, y1: f64, slope: f64, sign: f64): void {
  if (x0 >= SIDE && x1 >= SIDE) return;
  if (x0 <= 0 && x1 <= 0) {
    walk(0, y0, y1, 0, sign);
    return;
  }
  for (let border: f64 = 0; border <= SIDE; border += SIDE) {
    if ((x0 < border && x1 > border) || (x0 > border && x1 < border)) {
      const y = y0 + (border - x0) / slope;
      if (y > y0 && y < y1) {
        addWithinRows(x0, y0, border, y, slope, sign);
        addWithinRows(border, y, x1, y1, slope, sign);
        return;
      }
    }
  }
  const left = min<f64>(max<f64>(x0, 0), SIDE);
  const right = min<f64>(max<f64>(x1, 0), SIDE);
  walk(left, y0, y1, (right - left) / (y1 - y0), sign);
}

/** Distribute the edge's signed height over the pixels, row by row; x is within 0 to 256. */
function walk(x0: f64, y0: f64, y1: f64, slope: f64, sign: f64): void {
  let x = x0;
  const last = min<i32>(SIDE, <i32>ceil(y1));
  for (let row = <i32>floor(y0); row < last; row++) {
    const from = max<f64>(row, y0);
    const to = min<f64>(row + 1, y1);
    const height = to - from;
    if (height <= 0) continue;
    // Rounding can move an almost horizontal edge outside the tile.
    const next = min<f64>(max<f64>(x + slope * height, 0), SIDE);
    addSlice(row, min(x, next), max(x, next), sign * height);
    x = next;
  }
}

/** Distribute the signed height of an edge over the pixels of one row. */
function addSlice(row: i32, left: f64, right: f64, signed: f64): void {
  const first = <i32>floor(left);
  const end = <i32>ceil(right);
  const at = CELLS + ((row * STRIDE + first) << 2);
  const passed = PASSED + (row << 2);
  store<i32>(passed, load<i32>(passed) | piecesBetween(first, max(end, first + 1)));
  if (end <= first + 1) {
    // Within one pixel column: a trapezoid.
    const middle = (left + right) / 2 - first;
    add(at, signed * (1 - middle));
    add(at + 4, signed * middle);
    return;
  }
  // Across several columns: triangle, full slices, triangle.
  const run = 1 / (right - left);
  const into = 1 - (left - first);
  const head = 0.5 * run * into * into;
  const tail = right - end + 1;
  const rest = 0.5 * run * tail * tail;
  const last = at + ((end - first) << 2);
  add(at, signed * head);
  if (end === first + 2) {
    add(at + 4, signed * (1 - head - rest));
  } else {
    const second = run * (1.5 - (left - first));
    add(at + 4, signed * (second - head));
    for (let cell = at + 8; cell < last - 4; cell += 4) add(cell, signed * run);
    const soFar = second + (end - first - 3) * run;
    add(last - 4, signed * (1 - soFar - rest));
  }
  add(last, signed * rest);
}

function add(cell: usize, area: f64): void {
  store<f32>(cell, <f32>(<f64>load<f32>(cell) + area));
}

/** Bits of the pieces from one column to another, both included. */
function piecesBetween(first: i32, last: i32): i32 {
  const end = last >= SIDE ? SIDE / PIECE - 1 : last >> PIECE_SHIFT;
  const begin = first >= SIDE ? end : first >> PIECE_SHIFT;
  return (-1 << begin) & (-1 >>> (SIDE / PIECE - 1 - end));
}

/** Blend the ink over the covered pixels and clear the coverage. Overlapping parts count once. */
export function fillCovered(): void {
  const end = min(SIDE, bottom);
  for (let row = max(0, top); row < end; row++) {
    const passed = load<i32>(PASSED + (row << 2));
    if (passed !== 0) fillRow(row, passed);
  }
  top = SIDE;
  bottom = 0;
}

function fillRow(row: i32, passed: i32): void {
  const cells = CELLS + ((row * STRIDE) << 2);
  const pixels = PIXELS + ((row * SIDE) << 2);
  const alpha = <f64>inkAlpha;
  let sum: f64 = 0;
  let column = 0;
  for (let pieces = passed; pieces !== 0; pieces &= pieces - 1) {
    const first = (<i32>ctz(pieces)) << PIECE_SHIFT;
    fillAlike(row, column, first, sum);
    column = first + PIECE;
    for (let offset = first << 2; offset < column << 2; offset += 4) {
      sum += <f64>load<f32>(cells + offset);
      const covered = abs(sum);
      if (covered > LEAST_COVERED) {
        blendInk(pixels + offset, <f32>(covered > 1 ? alpha : covered * alpha));
      }
    }
    v128.store(cells + (first << 2), i32x4.splat(0));
    v128.store(cells + (first << 2), i32x4.splat(0), 16);
  }
  fillAlike(row, column, SIDE, sum);
  // Edges along the right border.
  store<u64>(cells + (SIDE << 2), 0);
  store<i32>(PASSED + (row << 2), 0);
}

/** Blend the ink over pixels with equal coverage. */
function fillAlike(row: i32, from: i32, to: i32, sum: f64): void {
  const covered = abs(sum);
  if (from >= to || covered <= LEAST_COVERED) return;
  fillSpan(row, from, to, <f32>(covered > 1 ? <f64>inkAlpha : covered * <f64>inkAlpha));
}
