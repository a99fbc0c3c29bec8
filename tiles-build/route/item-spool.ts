// Divides the items of a sheet among the squares that they are near. Items that are too many for memory
// are stored in temporary packs, one for each square. Each item has its number on the sheet.

import { createHash } from 'node:crypto';
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
  /** SHA-256 of the items without their numbers. */
  readonly digest: Uint8Array;
  readonly items: PlacedItems;
}

/**
 * Divides items among the given squares that they are near, according to their boxes. Some items
 * contribute nothing to such a square. Always call `remove` at the end, even after an error.
 *
 * @param folder of temporary packs; `undefined` keeps the items in memory
 */
export function spoolBySquare(
  groups: PlacedItems,
  squares: readonly Place[],
  folder: string | undefined,
): { readonly spooled: readonly SpooledItems[]; remove(): void } {
  const spools = squares.map((square) => new Spool(square, folder));
  const nearTo = nearness(squares);
  try {
    for (const group of groups) {
      const near = squares.map((): PlacedItem[] => []);
      for (const placed of group) {
        const isNear = nearTo(placed.item);
        for (let i = 0; i < squares.length; i++) if (isNear(i)) near[i]!.push(placed);
      }
      for (const [i, some] of near.entries()) if (some.length > 0) spools[i]!.add(some);
    }
  } catch (error) {
    for (const spool of spools) spool.abandon();
    throw error;
  }
  return {
    spooled: spools.map((spool) => spool.finish()),
    remove: () => {
      for (const spool of spools) spool.remove();
    },
  };
}

/** The items near one square while they are collected. */
class Spool {
  readonly #square: Place;
  readonly #path: string | undefined;
  readonly #writer: ReturnType<typeof createPackWriter> | undefined;
  readonly #held: (readonly PlacedItem[])[] = [];
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #groups = 0;

  constructor(square: Place, folder: string | undefined) {
    const { zoom, x, y } = square;
    this.#square = square;
    this.#path = folder && join(folder, `items-${zoom}-${x}-${y}.pack`);
    this.#writer = this.#path === undefined ? undefined : createPackWriter(this.#path);
  }

  /** @param some not empty */
  add(some: readonly PlacedItem[]): void {
    const items = encodeItems({ x: 0, y: 0, items: some.map(({ item }) => item) });
    this.#hash.update(items);
    this.#bytes += items.length;
    if (this.#writer === undefined) this.#held.push(some);
    else this.#writer.add({ tileId: this.#groups++, bytes: encodePlaced(some, items) });
  }

  finish(): SpooledItems {
    const pack = this.#writer?.finish();
    return {
      square: this.#square,
      bytes: this.#bytes,
      digest: this.#hash.digest(),
      items: pack === undefined ? this.#held : { [Symbol.iterator]: () => groupsIn(pack) },
    };
  }

  abandon(): void {
    this.#writer?.abandon();
  }

  remove(): void {
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }
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

function encodePlaced(some: readonly PlacedItem[], items: Uint8Array): Uint8Array {
  const out = new IntegerWriter();
  out.writeVarint(some.length);
  let last = 0;
  for (const { place } of some) {
    out.writeVarint(place - last);
    last = place;
  }
  out.writeBytes(items);
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
