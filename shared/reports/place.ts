// Where a report lies on a curve through all places (Morton's Z), which each kind has for itself. With
// the curve as one axis and time as the other, one index of points finds the newest reports of a box.

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

/** A stretch, and the longitudes of the box that it holds. */
export interface BoxStretch {
  readonly low: number;
  readonly high: number;
  readonly west: number;
  readonly east: number;
}

/**
 * Stretches of the axis that hold a box, one for each kind: a box across 180° is two. They reach beyond
 * it, sometimes far; the index leaves out what lies there.
 */
export function stretchesOf(box: Box, kinds: readonly ReportKind[]): BoxStretch[] {
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
      // Codes grow with column and row alike.
      low: placeOf(kind, span.west, south),
      high: placeOf(kind, span.east, north),
    })),
  );
}
