// An archive of a build as used by one request: looks up tiles in the directories of its parts, and
// reads their bytes. Offsets of entries are addresses in the whole archive (`part-index.ts`).

import { type Entry, findTile as findEntry, tileIdToZxy, zxyToTileId } from 'pmtiles';
import type { Archive } from '../../../shared/chart/manifest.ts';
import { addressOf, PartIndex, placeOf } from '../../../shared/chart/part-index.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import type { Env } from '../runtime/env.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import {
  BrokenArchive,
  forgetPart,
  heldDirectory,
  heldHead,
  openDirectory,
  openHead,
  type PartHead,
  readPart,
} from './part-heads.ts';

/** Our parts have at most this many levels of directories. */
const MAX_LEVELS = 4;

type Maybe<T> = T | undefined | Promise<T | undefined>;

export class OpenArchive {
  /** Contains the build id. */
  readonly key: string;
  readonly archive: Archive;
  readonly index: PartIndex;
  readonly #env: Env;
  readonly #cost: RequestCost;
  readonly #used = new Set<number>();

  /** @throws BrokenIndex */
  constructor(env: Env, buildId: string, archive: Archive, cost: RequestCost) {
    this.key = `${buildId}/${archive.tileset}`;
    this.archive = archive;
    this.index = PartIndex.of(archive);
    this.#env = env;
    this.#cost = cost;
  }

  /** The entry of a stored tile; not a promise if the directories that lead to it are in memory. */
  entryOf(tile: TileId): Maybe<Entry> {
    const part = this.index.partOf(tile);
    return part === undefined ? undefined : this.#find(part, zxyToTileId(tile.z, tile.x, tile.y));
  }

  entryOfId(id: number): Maybe<Entry> {
    const [z, x, y] = tileIdToZxy(id);
    const part = this.index.partOf({ z, x, y });
    return part === undefined ? undefined : this.#find(part, id);
  }

  /** Header and directories of a part. */
  async openPart(number: number): Promise<PartHead> {
    this.#used.add(number);
    const part = this.#part(number);
    return (
      heldHead(part) ?? (await openHead(this.#env, part, this.archive.heads[number], this.#cost))
    );
  }

  /** Bytes of one part. */
  read(address: number, length: number): Promise<Uint8Array> {
    const { part, offset } = placeOf(address);
    this.#used.add(part);
    return readPart(this.#env, this.#part(part), offset, length, this.#cost);
  }

  /** Discards the cached data of the parts that this request used. */
  forget(): void {
    for (const number of this.#used) forgetPart(this.#part(number), this.#cost);
  }

  #part(number: number) {
    const part = this.index.parts[number];
    if (part === undefined) throw new BrokenArchive(`${this.key} has no part ${number}`);
    return part;
  }

  #find(number: number, id: number): Maybe<Entry> {
    const head = heldHead(this.#part(number));
    const look = (opened: PartHead) => {
      const { rootDirectoryOffset, rootDirectoryLength } = opened.header;
      return this.#look(number, opened, id, rootDirectoryOffset, rootDirectoryLength, 0);
    };
    this.#used.add(number);
    return head === undefined ? this.openPart(number).then(look) : look(head);
  }

  #look(
    number: number,
    head: PartHead,
    id: number,
    offset: number,
    length: number,
    level: number,
    entries = heldDirectory(head, offset),
  ): Maybe<Entry> {
    if (level === MAX_LEVELS) throw new BrokenArchive(`${this.key}: endless directories`);
    if (entries === undefined) {
      return openDirectory(head, offset, length).then((opened) =>
        this.#look(number, head, id, offset, length, level, opened),
      );
    }
    const entry = findEntry(entries as Entry[], id) ?? undefined;
    if (entry === undefined) return undefined;
    const { leafDirectoryOffset, tileDataOffset } = head.header;
    if (entry.runLength > 0) {
      return { ...entry, offset: addressOf(number, tileDataOffset + entry.offset) };
    }
    return this.#look(
      number,
      head,
      id,
      leafDirectoryOffset + entry.offset,
      entry.length,
      level + 1,
    );
  }
}
