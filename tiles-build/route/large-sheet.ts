// All squares below one of zoom 8 where its items are too many to be held at once: the sheet is
// painted an owner at a time, and then the same is done for each square below it with the items that
// come near it alone. What comes out is what `build-sheet.ts` makes of the same items.

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
  /** Items as they were cut to the sheet, numbered in the order of their owners. */
  readonly items: PlacedItems;
  /** How many they are. */
  readonly count: number;
  /** The coastal zone on the sheet; undefined where no coast is near. */
  readonly coast: Coast | undefined;
  /** Bytes of items as they are kept that may be held at once. */
  readonly mostBytes: number;
  /** Folder for temporary packs. */
  readonly scratch: string;
  /** What a finished square is kept as: small, as many are. */
  readonly keep: (draft: SquareDraft, segments: readonly Segment[]) => Square;
}

/** A square and all needed ones below it. */
interface Family<Square> {
  /** Coarser ones first; none where the square is not needed. */
  readonly squares: readonly Square[];
  /** What the square itself keeps, or whoever lies above where it is not needed. */
  readonly own: readonly Segment[];
}

/**
 * Gives the squares below each square of zoom 11, in tile order, itself first; then comes the
 * sheet's own square, with what it has to keep.
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

/** The borders of the coastal zone are items of edges alone, behind all others. */
function withBorders({ items, count, coast }: LargeSheet<unknown>): PlacedItems {
  if (coast === undefined) return items;
  return {
    *[Symbol.iterator]() {
      let place = count;
      const number = (item: PlacedItem['item']) => ({ item, place: place++ });
      const borders: PlacedItem[][] = [];
      for (const group of items) {
        yield group;
        const some = coastalBorders(
          group.map(({ item }) => item),
          coast,
        );
        if (some.length > 0) borders.push(some.map(number));
      }
      yield* borders;
    },
  };
}

interface Below<Square> {
  readonly squares: readonly Square[];
  /** Segments that the coarser square keeps. */
  readonly left: readonly Segment[];
}

function* familiesBelow<Square>(
  sheet: LargeSheet<Square>,
  draft: SquareDraft,
  items: PlacedItems,
): Generator<Below<Square>, void, undefined> {
  const { spooled, remove } = spoolBySquare(items, squaresBelow(draft), sheet.scratch);
  try {
    for (const some of spooled) if (some.bytes > 0) yield familyOf(sheet, draft, some);
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

/** What of the items lies on a square, cut anew each time it is gone through. */
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

/** The squares of the next zoom below one: of a sheet in tile order, deeper as they are painted. */
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

/** Segments that several squares left, each once, in the order of their items. */
function inOrder(segments: readonly Segment[]): readonly Segment[] {
  return [...segments]
    .sort((a, b) => a.item - b.item || a.part - b.part)
    .filter((one, i, all) => one.item !== all[i - 1]?.item || one.part !== all[i - 1]?.part);
}
