// All squares below one of zoom 8, from the items of all its owners, which are in memory together.
// If there are too many items, `large-sheet.ts` does the same square by square.

import type { SeaSquare } from '../../shared/route/sea.ts';
import { coastalBorders } from './coastal-water.ts';
import { hazardLists, hazardsOf, squareKey } from './hazard-lists.ts';
import type { SheetItems } from './item-codec.ts';
import { SegmentTable } from './segment-table.ts';
import { sheetNotices } from './sheet-notices.ts';
import type { Block } from './square-draft.ts';
import { cutDownTo, SHEET_ZOOM, SquareTree } from './square-tree.ts';

export interface Sheet {
  readonly x: number;
  readonly y: number;
  /** The sheet as cells of zoom 5. */
  readonly block: Block;
  /** The square of zoom 8 first. Empty if coarser cells contain the same information. */
  readonly squares: readonly SeaSquare[];
}

/**
 * @param owners items of each owner of ground on the sheet
 * @param zone the sheet's part of the coastal zone; `undefined` if no coast is near
 */
export function buildSheet(owners: readonly SheetItems[], zone?: Uint8Array): Sheet {
  const { x, y } = owners[0]!;
  const items = owners.flatMap((owner) => owner.items);
  const coast = zone && { x, y, cells: zone };
  const place = { zoom: SHEET_ZOOM, x, y } as const;
  const tree = new SquareTree(coast);
  const root = tree.add(
    place,
    items.flatMap((item) => cutDownTo(place, item) ?? []),
  );
  const { drafts } = tree;
  const block = root.block();

  const table = new SegmentTable();
  const borders = coast === undefined ? [] : coastalBorders(items, coast);
  for (const [i, item] of [...items, ...borders].entries()) table.add(item, x, y, i);
  const lists = hazardLists(table.segments(), root, drafts);
  const notices = sheetNotices(place, items);
  const isNeeded =
    notices.length > 0 || drafts.size > 1 || lists.size > 0 || !root.isUniformAs(block);
  const squares = isNeeded
    ? [...drafts.values()].map((draft) =>
        draft.finish(
          hazardsOf(lists.get(squareKey(draft.zoom, draft.x, draft.y)) ?? []),
          draft === root ? notices : [],
        ),
      )
    : [];
  return { x, y, block, squares };
}
