// The squares of some ground, made from the items on it. They are painted where an item has a
// border, at the finest zoom that these items require, and omitted if coarser cells contain the
// same.

import { type SeaZoom, SQUARE_CELLS } from '../../shared/route/sea.ts';
import { Canvas } from './canvas.ts';
import { COAST_DETAIL } from './coast-zone.ts';
import { type Coast, hasZoneBorder, markCoastalWater } from './coastal-water.ts';
import { boxOfNode, type CutItem, cutToNode, uncut } from './cut-item.ts';
import { squareKey } from './hazard-lists.ts';
import { type RouteItem, zoomOfDetail } from './item.ts';
import { type Block, SquareDraft } from './square-draft.ts';

/** Zoom of the first square of a sheet. */
export const SHEET_ZOOM = 8;
/** Zoom levels between squares and the next finer squares. */
export const ZOOMS_DOWN = 3;
export const FINEST_SQUARE_ZOOM = 14;

export interface Place {
  readonly zoom: SeaZoom;
  readonly x: number;
  readonly y: number;
}

/**
 * Index of a square among all squares of its zoom in painting order: quarter by quarter of each
 * quarter of the plane, north-west, north-east, south-west, south-east.
 */
export function quarterOf(zoom: number, x: number, y: number): number {
  let at = 0;
  for (let bit = zoom - 1; bit >= 0; bit--) at = 4 * at + 2 * ((y >> bit) & 1) + ((x >> bit) & 1);
  return at;
}

/**
 * The part of an item on a square's ground, cut zoom by zoom from the sheet's zoom; `undefined` if
 * there is no such part.
 */
export function cutDownTo({ zoom, x, y }: Place, item: RouteItem): CutItem | undefined {
  let cut: CutItem | undefined = uncut(item);
  for (let z = SHEET_ZOOM; z <= zoom && cut !== undefined; z++) {
    const up = 2 ** (zoom - z);
    cut = cutToNode(cut, z, Math.floor(x / up), Math.floor(y / up));
  }
  return cut;
}

/** The zoom of squares that the borders of some cut items require; 0 if there are no borders. */
export function finestZoom(cuts: Iterable<CutItem>): number {
  let finest = 0;
  for (const { item, isWhole } of cuts) {
    if (!isWhole) finest = Math.max(finest, zoomOfDetail(item.detail));
  }
  return finest;
}

/** Paints a square with its items. @param cuts are iterated twice */
export function paintedSquare(
  { zoom, x, y }: Place,
  cuts: Iterable<CutItem>,
  coast: Coast | undefined,
): SquareDraft {
  const box = boxOfNode(zoom, x, y);
  let detail = coast !== undefined && hasZoneBorder(coast, box) ? COAST_DETAIL : 0;
  for (const { item, isWhole } of cuts) if (!isWhole) detail = Math.max(detail, item.detail);
  const most = zoom + Math.log2(SQUARE_CELLS);
  const canvas = new Canvas(box, 2 ** (Math.max(Math.min(detail, most), zoom + 4) - zoom));
  for (const cut of cuts) canvas.paint(cut);
  const cells = canvas.finish();
  if (coast !== undefined) markCoastalWater(cells, box, coast);
  return new SquareDraft(zoom, x, y, cells);
}

/**
 * Adds a square to its coarser one, and returns its block if it is needed: if it has finer squares, or
 * if it contains more information than the coarser square's cells.
 */
export function layOver(coarser: SquareDraft, draft: SquareDraft): Block | undefined {
  const block = draft.block();
  const isNeeded = draft.hasFiner.includes(1) || !draft.isUniformAs(block);
  layBlock(coarser, draft, block, isNeeded);
  return isNeeded ? block : undefined;
}

/** Adds the block of a finer square. */
export function layBlock(
  coarser: SquareDraft,
  { x, y }: { readonly x: number; readonly y: number },
  block: Block,
  isNeeded = true,
): void {
  const column = x - 8 * coarser.x;
  const row = y - 8 * coarser.y;
  coarser.put(block, column, row);
  if (isNeeded) coarser.hasFiner[row * 8 + column] = 1;
}

/** Drafts of a square and of all finer squares below it that are needed, by key. */
export class SquareTree {
  readonly drafts = new Map<string, SquareDraft>();
  readonly #coast: Coast | undefined;

  constructor(coast: Coast | undefined) {
    this.#coast = coast;
  }

  /** Also adds the square itself, needed or not. @param cuts to the square's ground */
  add(place: Place, cuts: readonly CutItem[]): SquareDraft {
    const { zoom, x, y } = place;
    const draft = paintedSquare(place, cuts, this.#coast);
    // Stored before its finer squares.
    this.drafts.set(squareKey(zoom, x, y), draft);
    if (zoom < FINEST_SQUARE_ZOOM) this.#descend(cuts, zoom, x, y, draft);
    return draft;
  }

  #descend(
    cuts: readonly CutItem[],
    z: number,
    column: number,
    row: number,
    coarser: SquareDraft,
  ): void {
    // Cutting adds no borders, so no part of these cuts needs finer squares either.
    if (finestZoom(cuts) <= coarser.zoom) return;
    for (let i = 0; i < 4; i++) {
      const x = 2 * column + (i & 1);
      const y = 2 * row + (i >> 1);
      const within = cuts.flatMap((cut) => cutToNode(cut, z + 1, x, y) ?? []);
      // If no finer border exists here, the coarser square is sufficient.
      if (finestZoom(within) <= coarser.zoom) continue;
      const zoom = (coarser.zoom + ZOOMS_DOWN) as SeaZoom;
      if (z + 1 < zoom) this.#descend(within, z + 1, x, y, coarser);
      else if (layOver(coarser, this.add({ zoom, x, y }, within)) === undefined) {
        this.drafts.delete(squareKey(zoom, x, y));
      }
    }
  }
}
