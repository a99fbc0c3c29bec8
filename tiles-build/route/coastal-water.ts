// Uncharted water in the coastal zone is water of unknown depth: its cells say so, and towards charts
// it has exact edges. Farther out, where the zone ends, there is nothing to keep clear of.

import type { Box, Flat } from '../../shared/geo/clip-box.ts';
import { NEVER_DEEP } from '../../shared/route/depth-code.ts';
import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Cells } from './canvas.ts';
import { COAST_CELLS, COAST_UNIT } from './coast-zone.ts';
import { NO_EFFECT, type RouteItem } from './item.ts';

/** The zone on one sheet. */
export interface Coast {
  /** The sheet. */
  readonly x: number;
  readonly y: number;
  readonly cells: Uint8Array;
}

/** Flags the cells that touch uncharted water of the zone. @param box of the cells, on the hazard grid */
export function markCoastalWater({ width, depth, flags }: Cells, box: Box, coast: Coast): void {
  if (flags === undefined) return;
  const unit = (box.right - box.left) / width;
  for (let row = 0, i = 0; row < width; row++) {
    const top = box.top + row * unit;
    for (let column = 0; column < width; column++, i++) {
      if ((flags[i]! & SEA_FLAGS.background) === 0 || depth[i] === NEVER_DEEP) continue;
      const left = box.left + column * unit;
      if (meetsZone(coast, left, top, left + unit, top + unit)) {
        flags[i]! |= SEA_FLAGS.unknownDepth;
      }
    }
  }
}

/** Whether the zone begins or ends within a box: then its cells are not all alike. */
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
  const firstColumn = onSheet(Math.floor(left / COAST_UNIT) - x * COAST_CELLS);
  const lastColumn = onSheet(Math.ceil(right / COAST_UNIT) - 1 - x * COAST_CELLS);
  const firstRow = onSheet(Math.floor(top / COAST_UNIT) - y * COAST_CELLS);
  const lastRow = onSheet(Math.ceil(bottom / COAST_UNIT) - 1 - y * COAST_CELLS);
  let count = 0;
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      count += cells[row * COAST_CELLS + column]!;
    }
  }
  if (count === 0) return 'none';
  return count === (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1) ? 'all' : 'some';
}

function onSheet(at: number): number {
  return at < 0 ? 0 : at < COAST_CELLS ? at : COAST_CELLS - 1;
}

/**
 * The borders of uncharted water where it lies in the zone, as lines that vessels keep clear of.
 * @param items of the sheet that the zone is of
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

const BORDER = { ...NO_EFFECT, kind: 'unknown-depth', depth: Number.NaN } as const;

/** Units of the hazard grid along a sheet. */
const SHEET_UNITS = COAST_UNIT * COAST_CELLS;

/** Parts of a ring in the zone, parted where it crosses the borders of the zone's cells. */
function coastalParts(ring: Flat, coast: Coast): Flat[] {
  const parts: Flat[] = [];
  let part: Flat | undefined;
  const count = ring.length;
  for (let i = 0; i < count; i += 2) {
    const [ax, ay] = [ring[i]!, ring[i + 1]!];
    const [bx, by] = [ring[(i + 2) % count]!, ring[(i + 3) % count]!];
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
      // Where a piece goes straight on, its end is moved; a ring's own vertices all stay.
      if (t0 > 0 && part.length > 2) part.length -= 2;
      part.push(Math.round(x1), Math.round(y1));
    }
  }
  return parts;
}

/** A segment in pieces, each within one row and one column of the zone's cells. */
function piecesOf(ax: number, ay: number, bx: number, by: number): [number, number][] {
  const at = [0, 1];
  for (const [a, b] of [
    [ax, bx],
    [ay, by],
  ] as const) {
    const first = Math.ceil(Math.min(a, b) / COAST_UNIT);
    const last = Math.floor(Math.max(a, b) / COAST_UNIT);
    // Only rings that run along sheets are longer, and those are cut off them anyway.
    if ((last - first) * COAST_UNIT > 4 * SHEET_UNITS) continue;
    for (let k = first; k <= last; k++) {
      const t = (k * COAST_UNIT - a) / (b - a);
      if (t > 0 && t < 1) at.push(t);
    }
  }
  at.sort((one, other) => one - other);
  return at.slice(1).map((t, i) => [at[i]!, t]);
}
