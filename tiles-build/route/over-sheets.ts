// Distributes items over the sheets of the world, down the quadtree. A shape of many sheets is cut
// to half of the ground at a time, so that it is not traversed once for every sheet.

import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import { FINE_SHEET_ZOOM } from '../../shared/route/sheets.ts';
import { type CutItem, cutToNode, uncut } from './cut-item.ts';
import { gridUnits, type RouteItem } from './item.ts';

/** Zoom of the tiles into which items are grouped. */
export const SHEET_ZOOM = FINE_SHEET_ZOOM;
/** Number of sheets along the world. */
export const SHEETS = 2 ** SHEET_ZOOM;

/**
 * Calls `visit` with the part of an item on each sheet.
 *
 * @param visit gets the column without wrapping; it may exceed the world's ends
 */
export function overSheets(
  item: RouteItem,
  visit: (column: number, row: number, cut: CutItem) => void,
): void {
  const cut = uncut(item);
  const { left, right, top, bottom } = cut.box;
  const { radius } = item.effect;
  const row = Math.abs(top - HAZARD_GRID / 2) > Math.abs(bottom - HAZARD_GRID / 2) ? top : bottom;
  const near = 1 + (radius === 0 ? 0 : 1.1 * gridUnits(radius, row));
  const span = Math.max(right - left, bottom - top) + 2 * near;
  const zoom = Math.max(0, Math.min(SHEET_ZOOM, Math.floor(Math.log2(HAZARD_GRID / span))));
  const side = HAZARD_GRID / 2 ** zoom;
  const last = Math.floor((right + near) / side);
  for (let x = Math.floor((left - near) / side); x <= last; x++) {
    const lastRow = Math.min(2 ** zoom - 1, Math.floor((bottom + near) / side));
    for (let y = Math.max(0, Math.floor((top - near) / side)); y <= lastRow; y++) {
      descend(cut, zoom, x, y);
    }
  }

  function descend(part: CutItem, z: number, x: number, y: number): void {
    const within = cutToNode(part, z, x, y);
    if (within === undefined) return;
    if (z === SHEET_ZOOM) {
      visit(x, y, within);
      return;
    }
    for (let i = 0; i < 4; i++) descend(within, z + 1, 2 * x + (i & 1), 2 * y + (i >> 1));
  }
}

/** Wraps a column into the world. */
export const wrapped = (column: number): number => ((column % SHEETS) + SHEETS) % SHEETS;
