// Uncharted water in the coastal zone is water of unknown depth: its cells have a flag, and it has
// exact edges towards charts. The outer border of the zone has no edges.

import type { Box, Flat } from '../../shared/geo/clip-box.ts';
import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Cells } from './canvas.ts';
import { COAST_CELLS, COAST_UNIT } from './coast-zone.ts';
import { cutBoxOf, isOnBox } from './cut-item.ts';
import { NO_EFFECT, type RouteItem } from './item.ts';
import { SHEET_ZOOM } from './over-sheets.ts';

/** The zone of one sheet. */
export interface Coast {
  readonly x: number;
  readonly y: number;
  readonly cells: Uint8Array;
}

/**
 * Sets the flags of cells that touch uncharted water of the zone.
 *
 * @param cells no larger than those of the zone if the border of the zone crosses the box
 * @param box of the cells, on the hazard grid; not smaller than a cell of the zone
 */
export function markCoastalWater({ width, flags }: Cells, box: Box, coast: Coast): void {
  if (flags === undefined) return;
  const across = (box.right - box.left) / COAST_UNIT;
  const left = box.left / COAST_UNIT - coast.x * COAST_CELLS;
  const top = box.top / COAST_UNIT - coast.y * COAST_CELLS;
  let before = -1;
  let runs: readonly number[] = [];
  for (let row = 0; row < width; row++) {
    const start = (top + Math.floor((row * across) / width)) * COAST_CELLS + left;
    if (start !== before) runs = runsOf(coast.cells.subarray(start, start + across), width);
    before = start;
    for (let at = 0; at < runs.length; at += 2) {
      const end = row * width + runs[at + 1]!;
      for (let k = row * width + runs[at]!; k < end; k++) {
        // Never-deep cells have no flags, so they are not marked.
        flags[k]! |= (flags[k]! << 1) & ZONE_MASK;
      }
    }
  }
}

/** The first column of each run of the zone in a row of a square, and the column after the run. */
function runsOf(zone: Uint8Array, width: number): readonly number[] {
  const runs: number[] = [];
  const scale = width / zone.length;
  for (let at = zone.indexOf(1), end = 0; at >= 0; at = zone.indexOf(1, end)) {
    const next = zone.indexOf(0, at);
    end = next < 0 ? zone.length : next;
    runs.push(at * scale, end * scale);
  }
  return runs;
}

/** `unknownDepth` is the bit next to `background`. */
const ZONE_MASK = SEA_FLAGS.background << 1;

/** The zone cell on a sheet that contains a start. */
const firstCell = (from: number, sheet: number): number =>
  onSheet(Math.floor(from / COAST_UNIT) - sheet * COAST_CELLS);

/** The zone cell on a sheet that contains an end. */
const lastCell = (to: number, sheet: number): number =>
  onSheet(Math.ceil(to / COAST_UNIT) - 1 - sheet * COAST_CELLS);

/** Whether the border of the zone crosses a box, so that its zone cells are not all equal. */
export function hasZoneBorder(coast: Coast, { left, right, top, bottom }: Box): boolean {
  return countIn(coast, left, top, right, bottom) === 'some';
}

function meetsZone(
  coast: Coast,
  left: number,
  top: number,
  right: number,
  bottom: number,
): boolean {
  return countIn(coast, left, top, right, bottom) !== 'none';
}

function countIn(
  { x, y, cells }: Coast,
  left: number,
  top: number,
  right: number,
  bottom: number,
): 'none' | 'some' | 'all' {
  const [firstColumn, lastColumn] = [firstCell(left, x), lastCell(right, x)];
  const [firstRow, lastRow] = [firstCell(top, y), lastCell(bottom, y)];
  const value = cells[firstRow * COAST_CELLS + firstColumn]!;
  for (let row = firstRow; row <= lastRow; row++) {
    const from = row * COAST_CELLS + firstColumn;
    const to = row * COAST_CELLS + lastColumn;
    for (let at = from; at <= to; at++) if (cells[at] !== value) return 'some';
  }
  return value === 0 ? 'none' : 'all';
}

function onSheet(at: number): number {
  return at < 0 ? 0 : at < COAST_CELLS ? at : COAST_CELLS - 1;
}

/**
 * The borders of uncharted water in the zone, as lines that vessels keep clear of.
 *
 * @param items of the sheet of the zone
 */
export function coastalBorders(items: readonly RouteItem[], coast: Coast): RouteItem[] {
  return items
    .filter(({ shape, effect }) => shape === 'area' && effect.flags === SEA_FLAGS.background)
    .flatMap(({ paths, detail, feature }) => {
      const lines = paths.flatMap((ring) => coastalParts(ring, coast));
      if (lines.length === 0) return [];
      return [{ shape: 'line', paths: lines, effect: BORDER, detail, feature } as const];
    });
}

const BORDER = { ...NO_EFFECT, kind: 'unknown-depth' } as const;

/** Units of the hazard grid along a sheet. */
const SHEET_UNITS = COAST_UNIT * COAST_CELLS;

/**
 * The parts of a ring in the zone, split at the borders of the zone's cells. Cuts along the sheet are
 * no borders.
 */
function coastalParts(ring: Flat, coast: Coast): Flat[] {
  const parts: Flat[] = [];
  let part: Flat | undefined;
  const count = ring.length;
  const cut = cutBoxOf(SHEET_ZOOM, coast.x, coast.y, 0);
  for (let i = 0; i < count; i += 2) {
    const [ax, ay] = [ring[i]!, ring[i + 1]!];
    const [bx, by] = [ring[(i + 2) % count]!, ring[(i + 3) % count]!];
    if (isOnBox(cut, ax, ay, bx, by)) {
      part = undefined;
      continue;
    }
    for (const [t0, t1] of piecesOf(ax, ay, bx, by)) {
      const [x0, y0] = [ax + (bx - ax) * t0, ay + (by - ay) * t0];
      const [x1, y1] = [ax + (bx - ax) * t1, ay + (by - ay) * t1];
      const isCoastal = meetsZone(
        coast,
        Math.min(x0, x1),
        Math.min(y0, y1),
        Math.max(x0, x1),
        Math.max(y0, y1),
      );
      if (!isCoastal) {
        part = undefined;
        continue;
      }
      if (part === undefined) {
        part = [Math.round(x0), Math.round(y0)];
        parts.push(part);
      }
      // If a piece continues straight on, its end is moved. All vertices of the ring stay.
      if (t0 > 0 && part.length > 2) part.length -= 2;
      part.push(Math.round(x1), Math.round(y1));
    }
  }
  return parts;
}

/** Splits a segment into pieces, each within one row and one column of zone cells. */
function piecesOf(ax: number, ay: number, bx: number, by: number): readonly Piece[] {
  const at = [0, 1];
  addCrossings(ax, bx, at);
  addCrossings(ay, by, at);
  if (at.length === 2) return UNDIVIDED;
  at.sort((one, other) => one - other);
  return at.slice(1).map((t, i) => [at[i]!, t]);
}

/** Start and end of a piece, as parts of its segment. */
type Piece = readonly [from: number, to: number];

/**
 * The result for most segments: vertices are closer to each other than the borders of zone cells.
 */
const UNDIVIDED: readonly Piece[] = [[0, 1]];

function addCrossings(a: number, b: number, at: number[]): void {
  const first = Math.ceil(Math.min(a, b) / COAST_UNIT);
  const last = Math.floor(Math.max(a, b) / COAST_UNIT);
  // Only rings along sheets have longer segments, and those are cut off in any case.
  if ((last - first) * COAST_UNIT > 4 * SHEET_UNITS) return;
  for (let k = first; k <= last; k++) {
    const t = (k * COAST_UNIT - a) / (b - a);
    if (t > 0 && t < 1) at.push(t);
  }
}
