// Reads entries of an archive: looks them up in its directories and combines nearby entries into
// one range request.

import type { LRUCache } from 'lru-cache';
import { type Entry, findTile as findEntry, type Header, zxyToTileId } from 'pmtiles';
import type { TileId } from '../../../shared/geo/tile.ts';
import { gunzip } from '../runtime/gzip.ts';
import { BrokenArchive } from './archive-source.ts';
import type { OpenArchive } from './tile-store.ts';

/** Ranges with at most this gap are read as one: fewer requests outweigh the additional bytes. */
const GAP_BYTES = 128 * 1024;
/** Maximum size of a combined range. */
const MAX_RANGE_BYTES = 4 * 1024 * 1024;

/** The stored bytes of each entry, by its offset. */
export async function readEntries(
  archive: OpenArchive,
  header: Header,
  entries: Iterable<Entry>,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>();
  await Promise.all(
    rangesOf([...entries]).map(async ({ start, end, entries: within }) => {
      const { data } = await archive.source.getBytes(header.tileDataOffset + start, end - start);
      for (const { offset, length } of within) {
        found.set(offset, new Uint8Array(data, offset - start, length));
      }
    }),
  );
  return found;
}

/**
 * The opened content of each entry by its offset, from the cache or from the archive.
 * @param cache its keys contain the build id
 */
export async function openEntries<T extends object>(
  archive: OpenArchive,
  header: Header,
  entries: Iterable<Entry>,
  { cache, open }: { readonly cache: LRUCache<string, T>; readonly open: (bytes: Uint8Array) => T },
): Promise<ReadonlyMap<number, T>> {
  const keyOf = (offset: number) => `${archive.key}@${offset}`;
  const found = new Map<number, T>();
  const missing = new Map<number, Entry>();
  for (const entry of entries) {
    const known = cache.get(keyOf(entry.offset));
    if (known === undefined) missing.set(entry.offset, entry);
    else found.set(entry.offset, known);
  }
  for (const [offset, stored] of await readEntries(archive, header, missing.values())) {
    const opened = open(await gunzip(stored));
    cache.set(keyOf(offset), opened);
    found.set(offset, opened);
  }
  return found;
}

interface ReadRange {
  readonly start: number;
  end: number;
  readonly entries: Entry[];
}

/** Combines nearby entries into ranges. Offsets are those of the entries. */
function rangesOf(entries: readonly Entry[]): readonly ReadRange[] {
  const ranges: ReadRange[] = [];
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    const end = entry.offset + entry.length;
    const last = ranges.at(-1);
    const joins =
      last !== undefined &&
      entry.offset - last.end <= GAP_BYTES &&
      end - last.start <= MAX_RANGE_BYTES;
    if (joins) {
      last.end = Math.max(last.end, end);
      last.entries.push(entry);
    } else ranges.push({ start: entry.offset, end, entries: [entry] });
  }
  return ranges;
}

/** Our archives have at most this many levels of directories. */
const MAX_LEVELS = 4;

/** Looks up tiles, synchronously if the directories that lead to them are in memory. */
export class Directory {
  readonly #archive: OpenArchive;
  readonly #header: Header;

  constructor(archive: OpenArchive, header: Header) {
    this.#archive = archive;
    this.#header = header;
  }

  entryOf({ z, x, y }: TileId): Entry | undefined | Promise<Entry | undefined> {
    return this.entryOfId(zxyToTileId(z, x, y));
  }

  entryOfId(id: number): Entry | undefined | Promise<Entry | undefined> {
    return this.#find(id, this.#header.rootDirectoryOffset, this.#header.rootDirectoryLength, 0);
  }

  #find(
    id: number,
    offset: number,
    length: number,
    level: number,
    entries = this.#archive.directories.held(offset),
  ): Entry | undefined | Promise<Entry | undefined> {
    if (level === MAX_LEVELS) throw new BrokenArchive(`${this.#archive.key}: endless directories`);
    if (entries === undefined) {
      return this.#read(offset, length).then((read) => this.#find(id, offset, length, level, read));
    }
    const entry = findEntry(entries as Entry[], id);
    if (entry === null || entry.runLength > 0) return entry ?? undefined;
    const leaf = this.#header.leafDirectoryOffset + entry.offset;
    return this.#find(id, leaf, entry.length, level + 1);
  }

  #read(offset: number, length: number): Promise<readonly Entry[]> {
    const { source, directories } = this.#archive;
    return directories.getDirectory(source, offset, length, this.#header);
  }
}
