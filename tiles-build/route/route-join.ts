// Joins the fragments of one sheet, from all its owners, to its bundles. A few fragments are held
// in memory; more are stored in a temporary pack. Memory does not depend on the number of owners.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PackedSquare } from '../../shared/route/sheets.ts';
import { createPackWriter, openPack, readPack } from '../archive/pack.ts';
import { tileIdOf } from '../slice/fragment.ts';
import { buildSheet, type Family } from './build-sheet.ts';
import { decodeCoast, joinedCoasts, type SheetCoast } from './coast-zone.ts';
import { hazardsOf } from './hazard-lists.ts';
import type { RouteItem } from './item.ts';
import { decodeItems, type SheetItems } from './item-codec.ts';
import type { PlacedItem } from './item-spool.ts';
import {
  ALL_GROUND,
  type Bundle,
  COAST,
  decodeBundle,
  encodeBundle,
  MIDDLE_SQUARE_ZOOM,
  packed,
} from './sheet-bundle.ts';
import { sheetNotices } from './sheet-notices.ts';
import type { Place } from './square-tree.ts';

/**
 * Maximum size of stored items in memory. With their edges and squares they need about fifty times
 * as much memory.
 */
const HELD_BYTES = 6 << 20;

interface RouteJoinOptions {
  readonly mostBytes?: number;
  /** Bundles of the sheet in an earlier build. Those of unchanged squares are used again. */
  readonly former?: Iterable<Uint8Array> | undefined;
}

/** Joins one sheet. Call either `finish` or `abandon`, once. */
export class RouteJoin {
  readonly #scratch: string;
  readonly #mostBytes: number;
  readonly #former: Iterable<Uint8Array>;
  #ground: Uint8Array | undefined;
  #coast: SheetCoast | undefined;
  #held: Uint8Array[] = [];
  #bytes = 0;
  #pack: ReturnType<typeof createPackWriter> | undefined;
  #fragments = 0;

  /** @param scratch folder for the temporary packs of this join only */
  constructor(scratch: string, { mostBytes = HELD_BYTES, former = [] }: RouteJoinOptions = {}) {
    this.#scratch = scratch;
    this.#mostBytes = mostBytes;
    this.#former = former;
  }

  add(fragment: Uint8Array): void {
    const bytes = fragment.subarray(1);
    if (fragment[0] === ALL_GROUND) this.#ground = fragment;
    else if (fragment[0] === COAST) this.#addCoast(decodeCoast(bytes));
    else this.#addItems(bytes);
  }

  #addCoast(coast: SheetCoast): void {
    const cells = joinedCoasts(this.#coast === undefined ? [coast] : [this.#coast, coast])!;
    this.#coast = { ...coast, cells };
  }

  #addItems(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#held.push(bytes);
    if (this.#bytes <= this.#mostBytes) return;
    this.#pack ??= createPackWriter(this.#packPath);
    for (const fragment of this.#held)
      this.#pack.add({ tileId: this.#fragments++, bytes: fragment });
    this.#held = [];
  }

  get #packPath(): string {
    return join(this.#scratch, 'sheet.pack');
  }

  /** The sheet's bundles as bytes. @throws Error if the ground of the sheet is not known */
  *finish(): Generator<Uint8Array, void, undefined> {
    if (this.#ground !== undefined) {
      yield this.#ground;
      return;
    }
    if (this.#bytes === 0) throw new Error('A sheet has a coast, but neither ground nor items.');
    this.#pack?.finish();
    const former = new FormerFamilies(this.#former);
    try {
      for (const bundle of this.#bundles(former)) yield encodeBundle(bundle);
    } finally {
      former.close();
      if (this.#pack !== undefined) rmSync(this.#packPath, { force: true });
    }
  }

  /** Removes the temporary packs after a failure. */
  abandon(): void {
    this.#pack?.abandon();
  }

  /** The items of each owner. */
  *#stored(): Generator<SheetItems, void, undefined> {
    for (const { bytes } of readPack(openPack(this.#packPath))) yield decodeItems(bytes);
  }

  *#bundles(former: FormerFamilies): Generator<Bundle, void, undefined> {
    const isHeld = this.#pack === undefined;
    const owners = isHeld
      ? this.#held.map(decodeItems)
      : { [Symbol.iterator]: () => this.#stored() };
    let count = 0;
    let corner: { readonly x: number; readonly y: number } | undefined;
    for (const { x, y, items } of owners) {
      corner = { x, y };
      count += items.length;
    }
    const { x, y } = corner!;
    const families = buildSheet({
      place: { zoom: 8, x, y },
      items: { [Symbol.iterator]: () => placedItems(owners) },
      count,
      coast: this.#coast,
      mostBytes: this.#mostBytes,
      scratch: isHeld ? undefined : this.#scratch,
      former: (square, digest) => former.find(square, digest),
      keep: (draft, segments) => packed(draft.finish(hazardsOf(segments))),
    });
    let isCharted = false;
    for (let next = families.next(); ; next = families.next()) {
      if (!next.done) {
        isCharted = true;
        yield { x, y, ...next.value };
        continue;
      }
      const { draft, own } = next.value;
      const block = draft.block();
      const notices = sheetNotices({ zoom: 8, x, y }, itemsOf(owners));
      const isNeeded =
        notices.length > 0 || isCharted || own.length > 0 || !draft.isUniformAs(block);
      const squares = isNeeded ? [packed(draft.finish(hazardsOf(own), notices))] : [];
      yield { x, y, digest: '', block, squares };
      return;
    }
  }
}

/** The families of a sheet in an earlier build, in tile order. */
class FormerFamilies {
  readonly #bundles: Iterator<Uint8Array>;
  #next: Bundle | undefined;

  constructor(bundles: Iterable<Uint8Array>) {
    this.#bundles = bundles[Symbol.iterator]();
    this.#advance();
  }

  /** The family of a square if it was made from the same. Call in tile order. */
  find({ x, y }: Place, digest: string): Family<PackedSquare> | undefined {
    const id = tileIdOf(MIDDLE_SQUARE_ZOOM, x, y);
    while (this.#id < id) this.#advance();
    return this.#id === id && this.#next?.digest === digest ? this.#next : undefined;
  }

  close(): void {
    this.#bundles.return?.();
  }

  get #id(): number {
    const [square] = this.#next?.squares ?? [];
    return square === undefined ? Number.POSITIVE_INFINITY : tileIdOf(square.z, square.x, square.y);
  }

  #advance(): void {
    const { value } = this.#bundles.next();
    const bundle = value === undefined ? undefined : decodeBundle(value);
    // The last bundle is that of the sheet's own square.
    this.#next = bundle?.digest === '' ? undefined : bundle;
  }
}

function* itemsOf(owners: Iterable<SheetItems>): Generator<RouteItem, void, undefined> {
  for (const { items } of owners) yield* items;
}

function* placedItems(
  owners: Iterable<SheetItems>,
): Generator<readonly PlacedItem[], void, undefined> {
  let place = 0;
  for (const { items } of owners) yield items.map((item) => ({ item, place: place++ }));
}
