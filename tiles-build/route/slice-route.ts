// Distributes one cell's items to every sheet whose ground they touch.

import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import type { Cell } from '../../shared/s57/cell/cell.ts';
import type { Clipper } from '../quilt/clipper.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { type Fragment, inTileOrder, tileIdOf } from '../slice/fragment.ts';
import type { Owner } from '../slice/owner.ts';
import { coastOfCell } from './cell-coast.ts';
import { itemsOfCell } from './cell-items.ts';
import { encodeCoast, type SheetCoast } from './coast-zone.ts';
import { type CutItem, cutBoxOf } from './cut-item.ts';
import type { RouteItem } from './item.ts';
import { encodeItems } from './item-codec.ts';
import { overSheets, SHEET_ZOOM, SHEETS, wrapped } from './over-sheets.ts';
import { asCoast, asItems } from './sheet-bundle.ts';

/** Fragments of the route archive's sheets, in tile order. */
export function sliceRoute(
  owner: Owner,
  cell: Cell,
  ownership: Ownership,
  clipper: Clipper,
): Fragment[] {
  const sheets = new Map<string, { column: number; row: number; cuts: CutItem[] }>();
  for (const item of itemsOfCell(owner, cell, ownership, clipper)) {
    overSheets(item, (column, row, cut) => {
      const key = `${column}/${row}`;
      const sheet = sheets.get(key);
      if (sheet === undefined) sheets.set(key, { column, row, cuts: [cut] });
      else sheet.cuts.push(cut);
    });
  }
  const coasts = Array.from(coastOfCell(cell, ownership), coastFragment);
  return inTileOrder([
    ...[...sheets.values()].map(({ column, row, cuts }) => fragmentOf(column, row, cuts)),
    ...coasts,
  ]);
}

/** Encodes a sheet's coastal zone. */
export function coastFragment(coast: SheetCoast): Fragment {
  const tileId = tileIdOf(SHEET_ZOOM, coast.x, coast.y);
  return { tileId, bytes: asCoast(encodeCoast(coast)) };
}

/** Encodes a sheet's items, with the column wrapped into the world. */
export function fragmentOf(column: number, y: number, cuts: readonly CutItem[]): Fragment {
  const x = wrapped(column);
  const shift = (x - column) * (HAZARD_GRID / SHEETS);
  const items = cuts.map(({ item, paths, isWhole }): RouteItem => {
    const kept = isWhole ? [ringAround(column, y, item.effect.radius)] : paths;
    const moved = (path: readonly number[]) =>
      path.map((value, i) => (i % 2 === 0 ? value + shift : value));
    return { ...item, paths: shift === 0 ? kept : kept.map(moved) };
  });
  return { tileId: tileIdOf(SHEET_ZOOM, x, y), bytes: asItems(encodeItems({ x, y, items })) };
}

/** The ring of an area that contains the sheet: along the box to which the area is cut. */
function ringAround(x: number, y: number, radius: number): number[] {
  const { left, right, top, bottom } = cutBoxOf(SHEET_ZOOM, x, y, radius);
  return [left, top, right, top, right, bottom, left, bottom];
}
