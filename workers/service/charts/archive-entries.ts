// Reads entries of an archive: combines nearby entries into one range request.

import type { LRUCache } from 'lru-cache';
import type { Entry } from 'pmtiles';
import { gunzip } from '../runtime/gzip.ts';
import type { OpenArchive } from './open-archive.ts';

/** Ranges with at most this gap are read as one: fewer requests outweigh the additional bytes. */
const GAP_BYTES = 128 * 1024;
/** Maximum size of a combined range. */
const MAX_RANGE_BYTES = 4 * 1024 * 1024;

/** The stored bytes of each entry, by its offset. */
export async function readEntries(
  archive: OpenArchive,
  entries: Iterable<Entry>,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>();
  await Promise.all(
    rangesOf([...entries]).map(async ({ start, end, entries: within }) => {
      const data = await archive.read(start, end - start);
      for (const { offset, length } of within) {
        found.set(offset, data.subarray(offset - start, offset - start + length));
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
  for (const [offset, stored] of await readEntries(archive, missing.values())) {
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

/** Combines nearby entries into ranges. Entries of different parts are never near each other. */
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
