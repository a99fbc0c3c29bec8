// Position of a report on a curve through all places (Morton's Z). Each kind has a separate curve.
// With the curve as one axis and time as the other, one index of points finds the newest reports in
// a box.

import { REPORT_KINDS, type ReportKind } from './report.ts';

/**
 * Bits of a column or row. A cell is 38 m wide at the equator. Two codes of 20 bits form one of 40
 * bits, which is exact in a double.
 */
const BITS = 20;
const SIDE = 2 ** BITS;
const CELLS = SIDE * SIDE;

/**
 * Length of the axis for one kind. With this length and seconds on the other axis, the index has
 * about as many pages along this axis as along time. It has an upper limit: the index orders by the
 * distance from a point 8e15 above all times. In doubles, this distance is the time alone if places
 * differ by less than 1e7.
 */
const STRETCH = 1_000_000;

/** A box in degrees; west is greater than east if the box crosses 180°. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Position of a report on the axis. Arguments are in degrees. */
export function placeOf(kind: ReportKind, longitude: number, latitude: number): number {
  return axisOf(kind, interleave(columnOf(longitude), rowOf(latitude)));
}

const columnOf = (longitude: number) => cellOf((longitude + 180) / 360);
const rowOf = (latitude: number) => cellOf((latitude + 90) / 180);
const cellOf = (share: number) => Math.min(SIDE - 1, Math.max(0, Math.floor(share * SIDE)));
const axisOf = (kind: ReportKind, code: number) =>
  (REPORT_KINDS.indexOf(kind) + code / CELLS) * STRETCH;

/** Interleaves bits, half of them at a time because bitwise operators are limited to 32 bits. */
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

/** A range of the axis, and the longitudes of the part of the box that it contains. */
export interface BoxStretch {
  readonly low: number;
  readonly high: number;
  readonly west: number;
  readonly east: number;
}

/**
 * Ranges of the axis that contain a box, one for each kind; a box across 180° counts as two. They
 * also contain places outside the box, sometimes far away. The index excludes those.
 */
export function keyRangesOf(box: Box, kinds: readonly ReportKind[]): BoxStretch[] {
  const { west, south, east, north } = box;
  const spans =
    west <= east
      ? [{ west, east }]
      : [
          { west, east: 180 },
          { west: -180, east },
        ];
  return spans.flatMap((span) =>
    kinds.map((kind) => ({
      ...span,
      // Codes increase with the column and with the row.
      low: placeOf(kind, span.west, south),
      high: placeOf(kind, span.east, north),
    })),
  );
}
