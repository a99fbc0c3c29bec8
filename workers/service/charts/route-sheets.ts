// Sheets of the route archive as used by one request: the sheets that the trip probably needs are
// read together before the search, others when the search requests their squares.

import type { Entry } from 'pmtiles';
import type { TileId } from '../../../shared/geo/tile.ts';
import { sheetsAlong } from '../../../shared/route/plan/read/sheets-along.ts';
import type { SquareId } from '../../../shared/route/sea.ts';
import { COARSE_SHEET, decodeSheet, sheetsFor } from '../../../shared/route/sheets.ts';
import type { Position } from '../../../shared/route/trip.ts';
import { gunzip } from '../runtime/gzip.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import { readEntries } from './archive-entries.ts';
import type { OpenArchive } from './open-archive.ts';
import { BrokenArchive } from './part-heads.ts';

/** Compressed squares of a sheet, by name. */
type Sheet = ReadonlyMap<string, Uint8Array>;

/** A square with the sheet it is in. */
export interface InSheet {
  readonly id: SquareId;
  /** Address of the sheet in the archive. */
  readonly offset: number;
  /** `undefined` if the sheet does not contain it. */
  readonly deflated: Uint8Array | undefined;
}

/** Cache; keys contain the build id. A trip of 100 km needs a few megabytes. */
const sheets = boundedCache<Sheet>('routeSheets');

/** Maximum bytes of stored sheets that a request keeps, even if the isolate evicts them. */
export const HELD_PACKED_BYTES = 4 * 1024 * 1024;
/** The part of it for sheets that are read before the search needs them. */
const AHEAD_BYTES = 3 * 1024 * 1024;

export const nameOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

export class RouteSheets {
  readonly #held = new Map<number, Sheet>();
  #heldBytes = 0;

  /**
   * Reads the missing sheets that a trip probably needs, in one round after the directories are
   * known.
   */
  async readAlong(archive: OpenArchive, waypoints: readonly Position[]): Promise<void> {
    const { middle, fine } = sheetsAlong(waypoints);
    const entries: Entry[] = [];
    let bytes = 0;
    for (const tiles of [[COARSE_SHEET], ...middle.map((tile) => [tile]), ...fine.map(sheetsAt)]) {
      const entry = await firstOf(archive, tiles);
      if (entry === undefined || entries.some(({ offset }) => offset === entry.offset)) continue;
      if (bytes + entry.length > AHEAD_BYTES) break;
      bytes += entry.length;
      entries.push(entry);
    }
    await this.#read(archive, entries);
  }

  /**
   * The sheet of each square; unknown sheets are read together. @throws BrokenArchive if a square
   * has no sheet
   */
  async find(archive: OpenArchive, ids: readonly SquareId[]): Promise<InSheet[]> {
    if (ids.length === 0) return [];
    const entries: Entry[] = [];
    for (const id of ids) {
      const entry = await firstOf(archive, sheetsFor(id));
      if (entry === undefined) throw new BrokenArchive(`no sheet holds square ${nameOf(id)}`);
      entries.push(entry);
    }
    const found = await this.#read(archive, entries);
    return ids.map((id, i) => {
      const { offset } = entries[i]!;
      return { id, offset, deflated: found.get(offset)!.get(nameOf(id)) };
    });
  }

  /** Discards a damaged sheet, here and in the cache of the isolate. */
  forget(archive: OpenArchive, offset: number): void {
    this.#held.delete(offset);
    sheets.delete(keyOf(archive, offset));
  }

  /** The sheet of each entry, by its offset. */
  async #read(
    archive: OpenArchive,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<number, Sheet>> {
    const found = new Map<number, Sheet>();
    const missing = new Map<number, Entry>();
    for (const entry of entries) {
      const { offset, length } = entry;
      const known = this.#held.get(offset) ?? sheets.get(keyOf(archive, offset));
      if (known === undefined) missing.set(offset, entry);
      else found.set(offset, this.#hold(offset, known, length));
    }
    for (const [offset, stored] of await readEntries(archive, missing.values())) {
      const bytes = await gunzip(stored);
      const sheet = new Map(decodeSheet(bytes).map((one) => [nameOf(one), one.deflated]));
      sheets.set(keyOf(archive, offset), sheet, { size: bytes.length });
      found.set(offset, this.#hold(offset, sheet, stored.length));
    }
    return found;
  }

  #hold(offset: number, sheet: Sheet, bytes: number): Sheet {
    if (!this.#held.has(offset) && this.#heldBytes + bytes <= HELD_PACKED_BYTES) {
      this.#held.set(offset, sheet);
      this.#heldBytes += bytes;
    }
    return sheet;
  }
}

const keyOf = (archive: OpenArchive, offset: number): string => `${archive.key}@${offset}`;

/** Sheets that can contain the fine squares of a tile, the finest first. */
const sheetsAt = ({ z, x, y }: TileId): readonly TileId[] =>
  sheetsFor({ z: 11, x: x * 2 ** (11 - z), y: y * 2 ** (11 - z) });

/** The entry of the first tile that is stored. */
async function firstOf(archive: OpenArchive, tiles: readonly TileId[]): Promise<Entry | undefined> {
  for (const tile of tiles) {
    // Do not await a known result: a trip needs hundreds of lookups.
    const looked = archive.entryOf(tile);
    const entry = looked instanceof Promise ? await looked : looked;
    if (entry !== undefined) return entry;
  }
  return undefined;
}
