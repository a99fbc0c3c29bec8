// Where a report lies on a curve through all places (Morton's Z), one stretch of it for each kind, so
// that a box on the chart is a few stretches of one axis; with time as the other axis, a page of a box
// is found by one index.

import { REPORT_KINDS, type ReportKind } from './report.ts';

/** Cells a side: 38 m at the equator. Two codes of 20 bits make one of 40, exact in a double. */
const BITS = 20;
const SIDE = 2 ** BITS;
const CELLS = SIDE * SIDE;

/**
 * Length of the whole axis. The index orders by the distance from a point that lies 1e14 ms above
 * all times: as far as places differ by less than 1e6 that distance is the time alone, in doubles.
 */
const AXIS = 1_000_000;
const STRETCH = AXIS / REPORT_KINDS.length;

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

/** Ranges of codes over a box: its squares a level finer each time, while they make few ranges. */
function codesOf(box: Box, most: number): Stretch[] {
  const areas = areasOf(box);
  let squares: Square[] = [{ column: 0, row: 0, side: SIDE }];
  let ranges = joined(squares);
  for (;;) {
    const finer = squares.flatMap((square) => split(square, areas));
    const finerRanges = joined(finer);
    const isDone = finer.length === squares.length && finer.every((one, i) => one === squares[i]);
    if (isDone || finerRanges.length > most) return ranges;
    squares = finer;
    ranges = finerRanges;
  }
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

/** Quarters that touch an area; a square that lies within one stays whole. */
function split(square: Square, areas: readonly Cells[]): Square[] {
  const { column, row, side } = square;
  if (side === 1 || areas.some((area) => isWithin(square, area))) return [square];
  const half = side / 2;
  return [
    { column, row, side: half },
    { column: column + half, row, side: half },
    { column, row: row + half, side: half },
    { column: column + half, row: row + half, side: half },
  ].filter((quarter) => areas.some((area) => touches(quarter, area)));
}

const isWithin = ({ column, row, side }: Square, { west, south, east, north }: Cells) =>
  column >= west && column + side - 1 <= east && row >= south && row + side - 1 <= north;
const touches = ({ column, row, side }: Square, { west, south, east, north }: Cells) =>
  column <= east && column + side - 1 >= west && row <= north && row + side - 1 >= south;

/** Neighbours on the curve become one range. Squares come in the curve's order. */
function joined(squares: readonly Square[]): Stretch[] {
  const ranges: { low: number; high: number }[] = [];
  for (const { column, row, side } of squares) {
    const low = interleave(column, row);
    const last = ranges.at(-1);
    if (last !== undefined && last.high === low) last.high = low + side * side;
    else ranges.push({ low, high: low + side * side });
  }
  return ranges;
}
