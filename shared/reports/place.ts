// Where a report lies on a curve through all places (Morton's Z), one stretch of it for each kind, so
// that a box on the chart is a few stretches of one axis; with time as the other axis, a page of a box
// is found by one index.

import { REPORT_KINDS, type ReportKind } from './report.ts';

/** Cells a side: 38 m at the equator. Two codes of 20 bits make one of 40, exact in a double. */
const BITS = 20;
const SIDE = 2 ** BITS;
const CELLS = SIDE * SIDE;

/**
 * Length of a kind's stretch. Beside the seconds of the other axis it makes the index's pages about
 * as many along this axis as along time. It may not grow without bound: the index orders by the
 * distance from a point 8e15 above all times, which in doubles is the time alone as long as places
 * differ by less than 1e7.
 */
const STRETCH = 1_000_000;

export interface Stretch {
  readonly low: number;
  readonly high: number;
}

/** A box in degrees; west is greater than east where it crosses 180°. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The place of a report on the axis. Degrees. */
export function placeOf(kind: ReportKind, longitude: number, latitude: number): number {
  return axisOf(kind, interleave(columnOf(longitude), rowOf(latitude)));
}

const columnOf = (longitude: number) => cellOf((longitude + 180) / 360);
const rowOf = (latitude: number) => cellOf((latitude + 90) / 180);
const cellOf = (share: number) => Math.min(SIDE - 1, Math.max(0, Math.floor(share * SIDE)));
const axisOf = (kind: ReportKind, code: number) =>
  (REPORT_KINDS.indexOf(kind) + code / CELLS) * STRETCH;

/** Bits of both by turns; halves at a time, as bitwise operators know 32 bits. */
function interleave(column: number, row: number): number {
  const half = BITS / 2;
  const mask = (1 << half) - 1;
  const high = spread(column >> half) | (spread(row >> half) << 1);
  const low = spread(column & mask) | (spread(row & mask) << 1);
  return high * 2 ** BITS + low;
}

/** abc → 0a0b0c */
function spread(bits: number): number {
  let spaced = bits;
  spaced = (spaced | (spaced << 8)) & 0x00ff00ff;
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f;
  spaced = (spaced | (spaced << 2)) & 0x33333333;
  return (spaced | (spaced << 1)) & 0x55555555;
}

/** A square of the curve's quadtree: a stretch of codes. */
interface Square {
  readonly column: number;
  readonly row: number;
  /** Cells a side. */
  readonly side: number;
  /** Of its first cell; the others follow. */
  readonly code: number;
  /** Its cells outside the box. */
  readonly beyond: number;
}

interface Cells {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * Stretches of the axis that cover a box for some kinds, and as little else as so few can.
 * @param most how many stretches all kinds together may have, at least one each
 */
export function stretchesOf(box: Box, kinds: readonly ReportKind[], most: number): Stretch[] {
  const codes = codesOf(box, Math.max(1, Math.floor(most / kinds.length)));
  return kinds.flatMap((kind) =>
    codes.map(({ low, high }) => ({ low: axisOf(kind, low), high: axisOf(kind, high) })),
  );
}

/** No box needs more to be covered well. */
const MOST_SPLITS = 120;

/** Ranges of codes over a box: the square that reaches farthest beyond it is quartered, again and again. */
function codesOf(box: Box, most: number): Stretch[] {
  const areas = areasOf(box);
  const kept = new Set<Square>();
  let squares = [squareAt(0, 0, SIDE, 0, areas)];
  for (let splits = 0; splits < MOST_SPLITS; splits++) {
    let worst: Square | undefined;
    for (const square of squares) {
      if (square.beyond > (worst?.beyond ?? 0) && !kept.has(square)) worst = square;
    }
    if (worst === undefined) break;
    const at = squares.indexOf(worst);
    const finer = [...squares.slice(0, at), ...quarters(worst, areas), ...squares.slice(at + 1)];
    if (joined(finer).length <= most) squares = finer;
    else kept.add(worst);
  }
  return joined(squares);
}

function areasOf({ west, south, east, north }: Box): Cells[] {
  const rows = { south: rowOf(south), north: rowOf(north) };
  const [first, last] = [columnOf(west), columnOf(east)];
  if (west <= east) return [{ ...rows, west: first, east: last }];
  return [
    { ...rows, west: 0, east: last },
    { ...rows, west: first, east: SIDE - 1 },
  ];
}

function squareAt(
  column: number,
  row: number,
  side: number,
  code: number,
  areas: readonly Cells[],
): Square {
  let beyond = side * side;
  for (const { west, south, east, north } of areas) {
    const columns = Math.min(column + side - 1, east) - Math.max(column, west) + 1;
    const rows = Math.min(row + side - 1, north) - Math.max(row, south) + 1;
    // Areas do not overlap.
    if (columns > 0 && rows > 0) beyond -= columns * rows;
  }
  return { column, row, side, code, beyond };
}

/** Those quarters of a square that touch an area, in the curve's order. */
function quarters({ column, row, side, code }: Square, areas: readonly Cells[]): Square[] {
  const half = side / 2;
  const size = half * half;
  return [
    squareAt(column, row, half, code, areas),
    squareAt(column + half, row, half, code + size, areas),
    squareAt(column, row + half, half, code + 2 * size, areas),
    squareAt(column + half, row + half, half, code + 3 * size, areas),
  ].filter(({ beyond }) => beyond < size);
}

/** Neighbours on the curve become one range. Squares come in the curve's order. */
function joined(squares: readonly Square[]): Stretch[] {
  const ranges: { low: number; high: number }[] = [];
  for (const { code, side } of squares) {
    const last = ranges.at(-1);
    if (last !== undefined && last.high === code) last.high = code + side * side;
    else ranges.push({ low: code, high: code + side * side });
  }
  return ranges;
}
