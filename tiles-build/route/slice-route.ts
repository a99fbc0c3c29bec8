// One cell's items, on every sheet whose ground they touch.

import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import type { Clipper } from '../quilt/clipper.ts';
import type { Ownership } from '../quilt/ownership.ts';
import type { Cell } from '../read/cell.ts';
import { type Fragment, inTileOrder, tileIdOf } from '../slice/fragment.ts';
import type { Owner } from '../slice/owner.ts';
import { itemsOfCell } from './cell-items.ts';
import { type CutItem, cutBoxOf, cutToNode, uncut } from './cut-item.ts';
import type { RouteItem } from './item.ts';
import { encodeItems } from './item-codec.ts';
import { asItems } from './sheet-bundle.ts';

export const SHEET_ZOOM = 8;
const SHEET_UNITS = HAZARD_GRID / 2 ** SHEET_ZOOM;

/** Fragments of the route archive's sheets, in tile order. */
export function sliceRoute(
  owner: Owner,
  cell: Cell,
  ownership: Ownership,
  clipper: Clipper,
): Fragment[] {
  const items = itemsOfCell(owner, cell, ownership, clipper);
  return inTileOrder(sheetsOf(items).flatMap(({ x, y, cuts }) => fragmentOf(x, y, cuts) ?? []));
}

export interface ItemsOnSheet {
  /** May run past the world's width. */
  readonly x: number;
  readonly y: number;
  readonly cuts: readonly CutItem[];
}

/** Items by the sheets they touch. */
export function sheetsOf(items: readonly RouteItem[]): readonly ItemsOnSheet[] {
  const sheets = new Map<string, { x: number; y: number; cuts: CutItem[] }>();
  for (const item of items) {
    const cut = uncut(item);
    // A radius reaches into the next sheet at most.
    const near = item.effect.radius === 0 ? 1 : SHEET_UNITS / 4;
    const { left, right, top, bottom } = cut.box;
    const firstRow = Math.max(0, Math.floor((top - near) / SHEET_UNITS));
    const lastRow = Math.min(2 ** SHEET_ZOOM - 1, Math.floor((bottom + near) / SHEET_UNITS));
    const lastColumn = Math.floor((right + near) / SHEET_UNITS);
    for (let x = Math.floor((left - near) / SHEET_UNITS); x <= lastColumn; x++) {
      for (let y = firstRow; y <= lastRow; y++) {
        const within = cutToNode(cut, SHEET_ZOOM, x, y);
        if (within === undefined) continue;
        const key = `${x}/${y}`;
        const sheet = sheets.get(key) ?? { x, y, cuts: [] };
        sheet.cuts.push(within);
        sheets.set(key, sheet);
      }
    }
  }
  return [...sheets.values()];
}

/** A sheet's items as bytes, moved into the world's width. */
export function fragmentOf(
  column: number,
  y: number,
  cuts: readonly CutItem[],
): Fragment | undefined {
  if (cuts.length === 0) return undefined;
  const columns = 2 ** SHEET_ZOOM;
  const x = ((column % columns) + columns) % columns;
  const shift = (x - column) * SHEET_UNITS;
  const items = cuts.map(({ item, paths, isWhole }): RouteItem => {
    const kept = isWhole ? [ringAround(column, y, item.effect.radius)] : paths;
    const moved = (path: readonly number[]) =>
      path.map((value, i) => (i % 2 === 0 ? value + shift : value));
    return { ...item, paths: shift === 0 ? kept : kept.map(moved) };
  });
  return { tileId: tileIdOf(SHEET_ZOOM, x, y), bytes: asItems(encodeItems({ x, y, items })) };
}

/** The ring of an area that holds the sheet: along the box that it is cut to. */
function ringAround(x: number, y: number, radius: number): number[] {
  const { left, right, top, bottom } = cutBoxOf(SHEET_ZOOM, x, y, radius);
  return [left, top, right, top, right, bottom, left, bottom];
}
