// All squares below one of zoom 8, from the items of all its owners: painted where something has a
// border, as fine as the best of those asks for, and left out where coarser cells say as much.

import { type SeaZoom, SQUARE_CELLS } from '../../shared/route/sea.ts';
import type { EncodableSquare } from '../../shared/route/square-codec.ts';
import { Canvas } from './canvas.ts';
import { COAST_DETAIL } from './coast-zone.ts';
import { type Coast, coastalBorders, hasZoneBorder, markCoastalWater } from './coastal-water.ts';
import { boxOfNode, type CutItem, cutToNode, uncut } from './cut-item.ts';
import { hazardLists, hazardsOf, squareKey } from './hazard-lists.ts';
import { type RouteItem, zoomOfDetail } from './item.ts';
import type { SheetItems } from './item-codec.ts';
import { SegmentTable } from './segment-table.ts';
import { type Block, SquareDraft } from './square-draft.ts';

const SHEET_ZOOM = 8;

export interface Sheet {
  readonly x: number;
  readonly y: number;
  /** The sheet in cells of zoom 5. */
  readonly block: Block;
  /** The square of zoom 8 first; none where coarser cells say as much. */
  readonly squares: readonly EncodableSquare[];
}

/**
 * @param owners items of each owner of ground on the sheet
 * @param zone its part of the coastal zone; undefined where no coast is near
 */
export function buildSheet(owners: readonly SheetItems[], zone?: Uint8Array): Sheet {
  const { x, y } = owners[0]!;
  const items = owners.flatMap((owner) => owner.items);
  const drafts = new Map<string, SquareDraft>();
  const coast = zone && { x, y, cells: zone };
  const root = draftSquares(items, x, y, coast, drafts);
  const block = root.block();

  const table = new SegmentTable();
  const borders = coast === undefined ? [] : coastalBorders(items, coast);
  for (const item of [...items, ...borders]) table.add(item, x, y);
  const lists = hazardLists(table.segments(), root, drafts);
  const isNeeded = drafts.size > 1 || lists.size > 0 || !root.saysNoMoreThan(block);
  const squares = isNeeded
    ? [...drafts.values()].map((draft) =>
        draft.finish(hazardsOf(lists.get(squareKey(draft.zoom, draft.x, draft.y)) ?? [])),
      )
    : [];
  return { x, y, block, squares };
}

/** Notes a draft of every square that is needed; the sheet's own comes back, needed or not. */
function draftSquares(
  items: readonly RouteItem[],
  x: number,
  y: number,
  coast: Coast | undefined,
  drafts: Map<string, SquareDraft>,
): SquareDraft {
  const root = drawn(
    SHEET_ZOOM,
    x,
    y,
    items.flatMap((item) => cutToNode(uncut(item), SHEET_ZOOM, x, y) ?? []),
    coast,
  );
  drafts.set(squareKey(SHEET_ZOOM, x, y), root.draft);
  descend(root.cuts, SHEET_ZOOM, x, y, root.draft);
  return root.draft;

  function descend(
    cuts: readonly CutItem[],
    z: number,
    column: number,
    row: number,
    coarser: SquareDraft,
  ): void {
    for (let i = 0; i < 4; i++) {
      const childX = 2 * column + (i & 1);
      const childY = 2 * row + (i >> 1);
      const within = cuts.flatMap((cut) => cutToNode(cut, z + 1, childX, childY) ?? []);
      // Where nothing finer has a border, the coarser square says all.
      if (finestZoom(within) <= coarser.zoom) continue;
      if (z + 1 < coarser.zoom + 3) descend(within, z + 1, childX, childY, coarser);
      else square(within, (coarser.zoom + 3) as SeaZoom, childX, childY, coarser);
    }
  }

  function square(
    cuts: readonly CutItem[],
    zoom: SeaZoom,
    column: number,
    row: number,
    coarser: SquareDraft,
  ): void {
    const { draft } = drawn(zoom, column, row, cuts, coast);
    const key = squareKey(zoom, column, row);
    const before = drafts.size;
    // Kept in front of its finer ones.
    drafts.set(key, draft);
    if (zoom < 14) descend(cuts, zoom, column, row, draft);
    const block = draft.block();
    const at = { column: column - 8 * coarser.x, row: row - 8 * coarser.y };
    coarser.put(block, at.column, at.row);
    if (drafts.size === before + 1 && draft.saysNoMoreThan(block)) drafts.delete(key);
    else coarser.hasFiner[at.row * 8 + at.column] = 1;
  }
}

const hasBorder = ({ isWhole }: CutItem): boolean => !isWhole;

function finestZoom(cuts: readonly CutItem[]): number {
  return cuts
    .filter(hasBorder)
    .reduce((finest, { item }) => Math.max(finest, zoomOfDetail(item.detail)), 0);
}

function drawn(
  zoom: SeaZoom,
  x: number,
  y: number,
  cuts: readonly CutItem[],
  coast: Coast | undefined,
): { readonly draft: SquareDraft; readonly cuts: readonly CutItem[] } {
  const box = boxOfNode(zoom, x, y);
  const zoneDetail = coast !== undefined && hasZoneBorder(coast, box) ? COAST_DETAIL : 0;
  const detail = cuts
    .filter(hasBorder)
    .reduce((finest, { item }) => Math.max(finest, item.detail), zoneDetail);
  const most = zoom + Math.log2(SQUARE_CELLS);
  const canvas = new Canvas(box, 2 ** (Math.max(Math.min(detail, most), zoom + 4) - zoom));
  for (const cut of cuts) canvas.paint(cut);
  const cells = canvas.finish();
  if (coast !== undefined) markCoastalWater(cells, box, coast);
  return { draft: new SquareDraft(zoom, x, y, cells), cuts };
}
