// Stores items of a sheet that are too many for memory in temporary packs. There is one pack for
// each square that the items are near. Each item has its number on the sheet.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PbfReader } from 'pbf';
import { IntegerWriter } from '../../shared/bytes/integer-writer.ts';
import { boundsOf } from '../../shared/geo/clip-box.ts';
import { SQUARE_CELLS } from '../../shared/route/sea.ts';
import { createPackWriter, type Pack, readPack } from '../archive/pack.ts';
import { boxOfNode } from './cut-item.ts';
import { gridUnits, type RouteItem } from './item.ts';
import { decodeItems, encodeItems } from './item-codec.ts';
import type { Place } from './square-tree.ts';

/** An item and its number among all items of its sheet. */
export interface PlacedItem {
  readonly item: RouteItem;
  readonly place: number;
}

/** Items in order, in groups that fit into memory. They can be iterated repeatedly. */
export type PlacedItems = Iterable<readonly PlacedItem[]>;

/** The items near a square. */
export interface SpooledItems {
  readonly square: Place;
  /** Size of the stored items. */
  readonly bytes: number;
  readonly items: PlacedItems;
}

/**
 * Copies items into a pack for each of the given squares that they are near, according to their
 * boxes. Some items contribute nothing to such a square. Always call `remove` at the end, also
 * after an error.
 */
export function spoolBySquare(
  groups: PlacedItems,
  squares: readonly Place[],
  folder: string,
): { readonly spooled: readonly SpooledItems[]; remove(): void } {
  const paths = squares.map(({ zoom, x, y }) => join(folder, `items-${zoom}-${x}-${y}.pack`));
  const remove = () => {
    for (const path of paths) rmSync(path, { force: true });
  };
  const writers = paths.map(createPackWriter);
  const nearTo = nearness(squares);
  const bytes = squares.map(() => 0);
  try {
    let number = 0;
    for (const group of groups) {
      const near = squares.map((): PlacedItem[] => []);
      for (const placed of group) {
        const isNear = nearTo(placed.item);
        for (let i = 0; i < squares.length; i++) if (isNear(i)) near[i]!.push(placed);
      }
      for (const [i, some] of near.entries()) {
        if (some.length === 0) continue;
        const record = encodePlaced(some);
        bytes[i]! += record.length;
        writers[i]!.add({ tileId: number, bytes: record });
      }
      number++;
    }
  } catch (error) {
    for (const writer of writers) writer.abandon();
    throw error;
  }
  const packs = writers.map((writer) => writer.finish());
  const spooled = squares.map((square, i) => ({
    square,
    bytes: bytes[i]!,
    items: { [Symbol.iterator]: () => groupsIn(packs[i]!) },
  }));
  return { spooled, remove };
}

function* groupsIn(pack: Pack): Generator<readonly PlacedItem[], void, undefined> {
  for (const { bytes } of readPack(pack)) yield decodePlaced(bytes);
}

/** Whether an item's box, extended by its radius and one cell, meets one of the given squares. */
function nearness(squares: readonly Place[]): (item: RouteItem) => (square: number) => boolean {
  const boxes = squares.map(({ zoom, x, y }) => boxOfNode(zoom, x, y));
  const all = boundsOf(boxes.map((box) => [box.left, box.top, box.right, box.bottom]));
  const cell = (boxes[0]!.right - boxes[0]!.left) / SQUARE_CELLS;
  return ({ paths, effect: { radius } }) => {
    const { left, right, top, bottom } = boundsOf(paths);
    const units = (row: number) => (radius === 0 ? 0 : 1.02 * gridUnits(radius, row));
    const by = 2 + cell + Math.max(...[top, bottom, all.top, all.bottom].map(units));
    return (square) => {
      const box = boxes[square]!;
      return (
        left <= box.right + by &&
        right >= box.left - by &&
        top <= box.bottom + by &&
        bottom >= box.top - by
      );
    };
  };
}

/** @param some not empty */
function encodePlaced(some: readonly PlacedItem[]): Uint8Array {
  const out = new IntegerWriter();
  out.writeVarint(some.length);
  let last = 0;
  for (const { place } of some) {
    out.writeVarint(place - last);
    last = place;
  }
  out.writeBytes(encodeItems({ x: 0, y: 0, items: some.map(({ item }) => item) }));
  return out.finish();
}

function decodePlaced(bytes: Uint8Array): readonly PlacedItem[] {
  const reader = new PbfReader(bytes);
  let place = 0;
  const places = Array.from({ length: reader.readVarint() }, () => {
    place += reader.readVarint();
    return place;
  });
  const { items } = decodeItems(reader.readBytes());
  return items.map((item, i) => ({ item, place: places[i]! }));
}
