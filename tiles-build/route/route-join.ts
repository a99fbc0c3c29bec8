// Joins the fragments of one sheet, from all its owners, to its bundles. A few fragments are held
// in memory; more are stored in a temporary pack. Memory does not depend on the number of owners.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPackWriter, openPack, readPack } from '../archive/pack.ts';
import { buildSheet } from './build-sheet.ts';
import { decodeCoast, joinedCoasts, type SheetCoast } from './coast-zone.ts';
import { hazardsOf } from './hazard-lists.ts';
import type { RouteItem } from './item.ts';
import { decodeItems } from './item-codec.ts';
import type { PlacedItem } from './item-spool.ts';
import { buildLargeSheet } from './large-sheet.ts';
import { ALL_GROUND, type Bundle, bundlesOf, COAST, encodeBundle, packed } from './sheet-bundle.ts';
import { sheetNotices } from './sheet-notices.ts';

/**
 * Maximum size of stored items in memory. With their edges and squares they need about fifty times
 * as much memory.
 */
const HELD_BYTES = 6 << 20;

/** Joins one sheet. Call either `finish` or `abandon`, once. */
export class RouteJoin {
  readonly #scratch: string;
  readonly #mostBytes: number;
  #ground: Uint8Array | undefined;
  #coast: SheetCoast | undefined;
  #held: Uint8Array[] = [];
  #bytes = 0;
  #pack: ReturnType<typeof createPackWriter> | undefined;
  #fragments = 0;

  /** @param scratch folder for the temporary packs of this join only */
  constructor(scratch: string, mostBytes = HELD_BYTES) {
    this.#scratch = scratch;
    this.#mostBytes = mostBytes;
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
    if (this.#pack === undefined) {
      const sheet = buildSheet(this.#held.map(decodeItems), this.#coast?.cells);
      for (const bundle of bundlesOf(sheet)) yield encodeBundle(bundle);
      return;
    }
    this.#pack.finish();
    try {
      for (const bundle of this.#largeBundles()) yield encodeBundle(bundle);
    } finally {
      rmSync(this.#packPath, { force: true });
    }
  }

  /** Removes the temporary packs after a failure. */
  abandon(): void {
    this.#pack?.abandon();
  }

  *#largeBundles(): Generator<Bundle, void, undefined> {
    const pack = openPack(this.#packPath);
    let count = 0;
    let place: { x: number; y: number } | undefined;
    for (const { bytes } of readPack(pack)) {
      const { x, y, items } = decodeItems(bytes);
      place = { x, y };
      count += items.length;
    }
    const { x, y } = place!;
    const families = buildLargeSheet({
      place: { zoom: 8, x, y },
      items: { [Symbol.iterator]: () => placedItems(readPack(pack)) },
      count,
      coast: this.#coast,
      mostBytes: this.#mostBytes,
      scratch: this.#scratch,
      keep: (draft, segments) => packed(draft.finish(hazardsOf(segments))),
    });
    let isCharted = false;
    for (let next = families.next(); ; next = families.next()) {
      if (!next.done) {
        isCharted = true;
        yield { x, y, block: undefined, squares: next.value };
        continue;
      }
      const { draft, own } = next.value;
      const block = draft.block();
      const notices = sheetNotices({ zoom: 8, x, y }, noticedItems(readPack(pack)));
      const isNeeded =
        notices.length > 0 || isCharted || own.length > 0 || !draft.isUniformAs(block);
      yield {
        x,
        y,
        block,
        squares: isNeeded ? [packed(draft.finish(hazardsOf(own), notices))] : [],
      };
      return;
    }
  }
}

function* noticedItems(
  records: Iterable<{ readonly bytes: Uint8Array }>,
): Generator<RouteItem, void, undefined> {
  for (const group of placedItems(records)) for (const { item } of group) yield item;
}

function* placedItems(
  records: Iterable<{ readonly bytes: Uint8Array }>,
): Generator<readonly PlacedItem[], void, undefined> {
  let place = 0;
  for (const { bytes } of records) {
    yield decodeItems(bytes).items.map((item) => ({ item, place: place++ }));
  }
}
