// All squares below one of zoom 8 if its items are too many for memory. The sheet is painted one
// owner at a time. Then the same is done for each square below it, with only the items near that
// square. The result is the same as that of `build-sheet.ts`.

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
import type { SquareDraft } from './square-draft.ts';
import {
  cutDownTo,
  FINEST_SQUARE_ZOOM,
  finestZoom,
  layOver,
  type Place,
  paintedSquare,
  quarterOf,
  SHEET_ZOOM,
  SquareTree,
  ZOOMS_DOWN,
} from './square-tree.ts';

export interface LargeSheet<Square> {
  readonly place: Place;
  /** The items, cut to the sheet and numbered in the order of their owners. */
  readonly items: PlacedItems;
  /** Number of items. */
  readonly count: number;
  /** The coastal zone of the sheet; `undefined` if no coast is near. */
  readonly coast: Coast | undefined;
  /** Maximum size of stored items that may be in memory together. */
  readonly mostBytes: number;
  /** Folder for temporary packs. */
  readonly scratch: string;
  /** Converts a finished square for storage in memory. The result must be small: there are many. */
  readonly keep: (draft: SquareDraft, segments: readonly Segment[]) => Square;
}

/** A square and all squares below it that are needed. */
interface Family<Square> {
  /** Coarser squares first. Empty if the square is not needed. */
  readonly squares: readonly Square[];
  /** Segments of the square itself. If the square is not needed, the square above keeps them. */
  readonly own: readonly Segment[];
}

/**
 * Yields the squares below each square of zoom 11, in tile order, each with its zoom-11 square
 * first. The sheet's own square follows, with its segments.
 */
export function* buildLargeSheet<Square>(
  sheet: LargeSheet<Square>,
): Generator<readonly Square[], { draft: SquareDraft; own: readonly Segment[] }, undefined> {
  const draft = paintedSquare(sheet.place, cutsOf(sheet, sheet.place, sheet.items), sheet.coast);
  const own: Segment[] = [];
  for (const { squares, left } of familiesBelow(sheet, draft, withBorders(sheet))) {
    for (const segment of left) own.push(segment);
    if (squares.length > 0) yield squares;
  }
  return { draft, own: inOrder(own) };
}

/** Appends the borders of the coastal zone after all other items, as items with edges only. */
function withBorders({ items, count, coast }: LargeSheet<unknown>): PlacedItems {
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

interface Below<Square> {
  readonly squares: readonly Square[];
  /** Segments for the coarser square. */
  readonly left: readonly Segment[];
}

function* familiesBelow<Square>(
  sheet: LargeSheet<Square>,
  draft: SquareDraft,
  items: PlacedItems,
): Generator<Below<Square>, void, undefined> {
  const { spooled, remove } = spoolBySquare(items, squaresBelow(draft), sheet.scratch);
  try {
    for (const family of spooled) if (family.bytes > 0) yield familyOf(sheet, draft, family);
  } finally {
    remove();
  }
}

function familyOf<Square>(
  sheet: LargeSheet<Square>,
  coarser: SquareDraft,
  { square, bytes, items }: SpooledItems,
): Below<Square> {
  const isLarge = bytes > sheet.mostBytes && square.zoom < FINEST_SQUARE_ZOOM;
  const family = isLarge
    ? largeFamily(sheet, coarser, square, items)
    : wholeFamily(sheet, coarser, square, items);
  if (family.squares.length > 0) return { squares: family.squares, left: [] };
  return { squares: [], left: family.own };
}

function largeFamily<Square>(
  sheet: LargeSheet<Square>,
  coarser: SquareDraft,
  square: Place,
  items: PlacedItems,
): Family<Square> {
  if (finestZoom(cutsOf(sheet, square, items)) <= coarser.zoom) {
    return wholeFamily(sheet, coarser, square, items);
  }
  const draft = paintedSquare(square, cutsOf(sheet, square, items), sheet.coast);
  const squares: Square[] = [];
  const left: Segment[] = [];
  for (const family of familiesBelow(sheet, draft, items)) {
    for (const one of family.squares) squares.push(one);
    for (const segment of family.left) left.push(segment);
  }
  const own = inOrder(left);
  return layOver(coarser, draft)
    ? { squares: [sheet.keep(draft, own), ...squares], own }
    : { squares: [], own };
}

function wholeFamily<Square>(
  sheet: LargeSheet<Square>,
  coarser: SquareDraft,
  square: Place,
  items: PlacedItems,
): Family<Square> {
  const table = new SegmentTable();
  const around = boxOfNode(square.zoom, square.x, square.y);
  const cuts: CutItem[] = [];
  for (const group of items) {
    for (const { item, place } of group) {
      table.add(item, sheet.place.x, sheet.place.y, place, around);
      const cut = place < sheet.count ? cutDownTo(square, item) : undefined;
      if (cut !== undefined) cuts.push(cut);
    }
  }
  const { zoom, x, y } = sheet.place;
  const whole = boxOfNode(zoom, x, y);
  const own = table.segments().filter((segment) => isReached(segment, around, whole));
  if (finestZoom(cuts) <= coarser.zoom) return { squares: [], own };
  const tree = new SquareTree(sheet.coast);
  const first = tree.add(square, cuts);
  if (!layOver(coarser, first)) return { squares: [], own };
  const lists = hazardLists(own, first, tree.drafts);
  const squares = [...tree.drafts.values()].map((draft) =>
    sheet.keep(draft, lists.get(squareKey(draft.zoom, draft.x, draft.y)) ?? []),
  );
  return { squares, own };
}

/** The parts of the items on a square, cut again at each iteration. */
function cutsOf(
  { count }: LargeSheet<unknown>,
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
