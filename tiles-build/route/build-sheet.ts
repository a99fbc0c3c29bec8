// All squares below one of zoom 8. The sheet is painted one owner at a time. Then the same is done for
// each square below it, with only the items near that square. So memory does not depend on the number
// of items, and squares that no changed item is near are not made again.

import { createHash } from 'node:crypto';
import type { SeaZoom } from '../../shared/route/sea.ts';
import { tileIdOf } from '../slice/fragment.ts';
import { type Coast, coastalBorders } from './coastal-water.ts';
import { boxOfNode, type CutItem } from './cut-item.ts';
import { hazardLists, isReached, squareKey } from './hazard-lists.ts';
import {
  type PlacedItem,
  type PlacedItems,
  type SpooledItems,
  spoolBySquare,
} from './item-spool.ts';
import { type Segment, SegmentTable } from './segment-table.ts';
import type { Block, SquareDraft } from './square-draft.ts';
import {
  cutDownTo,
  FINEST_SQUARE_ZOOM,
  finestZoom,
  layBlock,
  layOver,
  type Place,
  paintedSquare,
  quarterOf,
  SHEET_ZOOM,
  SquareTree,
  ZOOMS_DOWN,
} from './square-tree.ts';

export interface SheetPlan<Square> {
  readonly place: Place;
  /** The items, cut to the sheet and numbered in the order of their owners. */
  readonly items: PlacedItems;
  /** Number of items. */
  readonly count: number;
  /** The coastal zone of the sheet; `undefined` if no coast is near. */
  readonly coast: Coast | undefined;
  /** Maximum size of stored items that may be in memory together. */
  readonly mostBytes: number;
  /** Folder for temporary packs; `undefined` if all items are in memory. */
  readonly scratch: string | undefined;
  /** Finds the family of a square in an earlier build. Called in tile order. */
  readonly former: (square: Place, digest: string) => Family<Square> | undefined;
  /** Converts a finished square for storage in memory. The result must be small: there are many. */
  readonly keep: (draft: SquareDraft, segments: readonly Segment[]) => Square;
}

/** A square that is needed, and all squares below it that are needed. */
export interface Family<Square> {
  /** The square as part of the coarser one. */
  readonly block: Block;
  /** Coarser squares first. */
  readonly squares: readonly Square[];
}

/** The segments of a square that is not needed: the square above keeps them. */
interface Left {
  readonly left: readonly Segment[];
}

/** A family with the digest of everything that it is made from. */
type MadeFamily<Square> = Family<Square> & { readonly digest: string };

/**
 * Yields the squares below each square of zoom 11, in tile order, each with its zoom-11 square
 * first. The sheet's own square follows, with its segments.
 */
export function* buildSheet<Square>(
  sheet: SheetPlan<Square>,
): Generator<MadeFamily<Square>, { draft: SquareDraft; own: readonly Segment[] }, undefined> {
  const cuts = cutsOf(sheet, sheet.place, sheet.items);
  const held = sheet.scratch === undefined ? [...cuts] : cuts;
  const draft = paintedSquare(sheet.place, held, sheet.coast);
  const items = withBorders(sheet);
  // No border needs finer squares, as in most of the world.
  if (finestZoom(held) <= SHEET_ZOOM)
    return { draft, own: segmentsNear(sheet, sheet.place, items) };
  const zone = createHash('sha256').update(sheet.coast?.cells ?? '');
  const own: Segment[] = [];
  for (const near of itemsBelow(sheet, draft, items)) {
    const digest = zone.copy().update(near.digest).digest('hex');
    const former = sheet.former(near.square, digest);
    if (former !== undefined) layBlock(draft, near.square, former.block);
    const family = former ?? familyOf(sheet, draft, near);
    if ('left' in family) for (const segment of family.left) own.push(segment);
    else yield { digest, ...family };
  }
  return { draft, own: inOrder(own) };
}

/** Appends the borders of the coastal zone after all other items, as items with edges only. */
function withBorders({ items, count, coast }: SheetPlan<unknown>): PlacedItems {
  if (coast === undefined) return items;
  return {
    *[Symbol.iterator]() {
      let place = count;
      const number = (item: PlacedItem['item']) => ({ item, place: place++ });
      const borders: PlacedItem[][] = [];
      for (const group of items) {
        yield group;
        const groupBorders = coastalBorders(
          group.map(({ item }) => item),
          coast,
        );
        if (groupBorders.length > 0) borders.push(groupBorders.map(number));
      }
      yield* borders;
    },
  };
}

/** The items near each square below one that is near any. */
function* itemsBelow(
  { scratch }: SheetPlan<unknown>,
  draft: SquareDraft,
  items: PlacedItems,
): Generator<SpooledItems, void, undefined> {
  const { spooled, remove } = spoolBySquare(items, squaresBelow(draft), scratch);
  try {
    for (const near of spooled) if (near.bytes > 0) yield near;
  } finally {
    remove();
  }
}

function familyOf<Square>(
  sheet: SheetPlan<Square>,
  coarser: SquareDraft,
  { square, bytes, items }: SpooledItems,
): Family<Square> | Left {
  const isLarge = bytes > sheet.mostBytes && square.zoom < FINEST_SQUARE_ZOOM;
  return isLarge && finestZoom(cutsOf(sheet, square, items)) > coarser.zoom
    ? largeFamily(sheet, coarser, square, items)
    : wholeFamily(sheet, coarser, square, items);
}

function largeFamily<Square>(
  sheet: SheetPlan<Square>,
  coarser: SquareDraft,
  square: Place,
  items: PlacedItems,
): Family<Square> | Left {
  const draft = paintedSquare(square, cutsOf(sheet, square, items), sheet.coast);
  const squares: Square[] = [];
  const segments: Segment[] = [];
  for (const near of itemsBelow(sheet, draft, items)) {
    const family = familyOf(sheet, draft, near);
    if ('left' in family) for (const segment of family.left) segments.push(segment);
    else for (const one of family.squares) squares.push(one);
  }
  const own = inOrder(segments);
  const block = layOver(coarser, draft);
  return block === undefined
    ? { left: own }
    : { block, squares: [sheet.keep(draft, own), ...squares] };
}

function wholeFamily<Square>(
  sheet: SheetPlan<Square>,
  coarser: SquareDraft,
  square: Place,
  items: PlacedItems,
): Family<Square> | Left {
  const own = segmentsNear(sheet, square, items);
  const cuts = [...cutsOf(sheet, square, items)];
  if (finestZoom(cuts) <= coarser.zoom) return { left: own };
  const tree = new SquareTree(sheet.coast);
  const first = tree.add(square, cuts);
  const block = layOver(coarser, first);
  if (block === undefined) return { left: own };
  const lists = hazardLists(own, first, tree.drafts);
  const squares = [...tree.drafts.values()].map((draft) =>
    sheet.keep(draft, lists.get(squareKey(draft.zoom, draft.x, draft.y)) ?? []),
  );
  return { block, squares };
}

function segmentsNear(
  sheet: SheetPlan<unknown>,
  square: Place,
  items: PlacedItems,
): readonly Segment[] {
  const table = new SegmentTable();
  const { zoom, x, y } = sheet.place;
  const around = boxOfNode(square.zoom, square.x, square.y);
  for (const group of items) {
    for (const { item, place } of group) table.add(item, x, y, place, around);
  }
  const whole = boxOfNode(zoom, x, y);
  return table.segments().filter((segment) => isReached(segment, around, whole));
}

/** The parts of the items on a square, cut again at each iteration. */
function cutsOf(
  { count }: SheetPlan<unknown>,
  square: Place,
  items: PlacedItems,
): Iterable<CutItem> {
  return {
    *[Symbol.iterator]() {
      for (const group of items) {
        for (const { item, place } of group) {
          const cut = place < count ? cutDownTo(square, item) : undefined;
          if (cut !== undefined) yield cut;
        }
      }
    },
  };
}

/**
 * The squares of the next zoom below one: in tile order for a sheet, otherwise in painting order.
 */
function squaresBelow({ zoom, x, y }: Place): readonly Place[] {
  const side = 2 ** ZOOMS_DOWN;
  const below = (zoom + ZOOMS_DOWN) as SeaZoom;
  const order = ({ x: column, y: row }: Place) =>
    zoom === SHEET_ZOOM ? tileIdOf(below, column, row) : quarterOf(below, column, row);
  return Array.from({ length: side * side }, (_, i) => ({
    zoom: below,
    x: side * x + (i % side),
    y: side * y + Math.floor(i / side),
  })).sort((a, b) => order(a) - order(b));
}

/** Segments that several squares passed up, each once, in the order of their items. */
function inOrder(segments: readonly Segment[]): readonly Segment[] {
  return [...segments]
    .sort((a, b) => a.item - b.item || a.part - b.part)
    .filter((one, i, all) => one.item !== all[i - 1]?.item || one.part !== all[i - 1]?.part);
}
