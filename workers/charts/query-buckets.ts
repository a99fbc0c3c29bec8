// Buckets of the query archive: looked up in its directories, read in as few ranges as they lie in,
// and kept opened while there is room.

import { type Entry, findTile as findEntry, type Header, zxyToTileId } from 'pmtiles';
import type { Manifest } from '../../shared/chart/manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { Bucket } from '../../shared/query/bucket.ts';
import { archiveTile, QUERY_TILESET, type Sheet } from '../../shared/query/sheets.ts';
import type { Env } from '../env.ts';
import type { RequestCost } from '../http/request-cost.ts';
import { BrokenArchive } from './archive-source.ts';
import { gunzip } from './gzip.ts';
import { type OpenArchive, withArchive } from './tile-store.ts';

/** Ranges this near to one another are read as one: fewer requests are worth some bytes. */
const GAP_BYTES = 128 * 1024;
/** A range is not joined with others beyond this. */
const MAX_RANGE_BYTES = 4 * 1024 * 1024;
/** What opened buckets may take of an isolate's memory. */
const MAX_HELD_BYTES = 24 * 1024 * 1024;

/** A cache named as one: opened buckets, the longest unused first; keys hold the build id. */
const opened = new Map<string, Bucket>();
let heldBytes = 0;

/** A bucket by its tile on a sheet. */
export type BucketAt = readonly [tile: TileId, bucket: Bucket];

/**
 * Those of the tiles that the archive has buckets for, in their order.
 * @throws ApiError 503 where the archive cannot be read or is damaged
 */
export function readBuckets(
  env: Env,
  manifest: Manifest,
  sheet: Sheet,
  tiles: readonly TileId[],
  cost: RequestCost,
): Promise<BucketAt[]> {
  return withArchive(env, manifest, QUERY_TILESET, cost, async (archive) => {
    const header = await archive.directories.getHeader(archive.source);
    const directory = new Directory(archive, header);
    const wanted: { readonly tile: TileId; readonly entry: Entry }[] = [];
    for (const tile of tiles) {
      // Not awaited where it is known: a large circle asks for thousands.
      const looked = directory.entryOf(archiveTile(sheet, tile));
      const entry = looked instanceof Promise ? await looked : looked;
      if (entry !== undefined) wanted.push({ tile, entry });
    }
    const buckets = new Map<number, Bucket>();
    const missing = new Map<number, Entry>();
    for (const { entry } of wanted) {
      const known = recall(`${archive.key}@${entry.offset}`);
      if (known === undefined) missing.set(entry.offset, entry);
      else buckets.set(entry.offset, known);
    }
    await Promise.all(
      rangesOf([...missing.values()]).map(async ({ start, end, entries }) => {
        const { data } = await archive.source.getBytes(header.tileDataOffset + start, end - start);
        for (const { offset, length } of entries) {
          const bucket = new Bucket(await gunzip(new Uint8Array(data, offset - start, length)));
          remember(`${archive.key}@${offset}`, bucket);
          buckets.set(offset, bucket);
        }
      }),
    );
    return wanted.map(({ tile, entry }) => [tile, buckets.get(entry.offset)!] as const);
  });
}

interface ReadRange {
  readonly start: number;
  end: number;
  readonly entries: Entry[];
}

/** Entries in as few ranges as are worth it; offsets are those of the entries. */
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

/** Deeper than this no archive of ours is. */
const MAX_LEVELS = 4;

/** A cache named as one: directories of open archives by their place, so that they are not awaited. */
const directoriesOf = new WeakMap<object, Map<number, Entry[]>>();

/** Looks tiles up; at once where the directories that lead to them are in memory. */
class Directory {
  readonly #archive: OpenArchive;
  readonly #header: Header;
  readonly #known: Map<number, Entry[]>;

  constructor(archive: OpenArchive, header: Header) {
    this.#archive = archive;
    this.#header = header;
    this.#known = directoriesOf.get(archive.directories) ?? new Map();
    directoriesOf.set(archive.directories, this.#known);
  }

  entryOf({ z, x, y }: TileId): Entry | undefined | Promise<Entry | undefined> {
    const id = zxyToTileId(z, x, y);
    return this.#find(id, this.#header.rootDirectoryOffset, this.#header.rootDirectoryLength, 0);
  }

  #find(
    id: number,
    offset: number,
    length: number,
    level: number,
  ): Entry | undefined | Promise<Entry | undefined> {
    if (level === MAX_LEVELS) throw new BrokenArchive(`${this.#archive.key}: endless directories`);
    const entries = this.#known.get(offset);
    if (entries === undefined) {
      return this.#read(offset, length).then(() => this.#find(id, offset, length, level));
    }
    const entry = findEntry(entries, id);
    if (entry === null || entry.runLength > 0) return entry ?? undefined;
    const leaf = this.#header.leafDirectoryOffset + entry.offset;
    return this.#find(id, leaf, entry.length, level + 1);
  }

  async #read(offset: number, length: number): Promise<void> {
    const { source, directories } = this.#archive;
    this.#known.set(offset, await directories.getDirectory(source, offset, length, this.#header));
  }
}

function recall(key: string): Bucket | undefined {
  const found = opened.get(key);
  if (found === undefined) return undefined;
  opened.delete(key);
  opened.set(key, found);
  return found;
}

function remember(key: string, bucket: Bucket): void {
  if (opened.has(key) || bucket.weight > MAX_HELD_BYTES / 2) return;
  opened.set(key, bucket);
  heldBytes += bucket.weight;
  for (const [oldKey, old] of opened) {
    if (heldBytes <= MAX_HELD_BYTES) break;
    opened.delete(oldKey);
    heldBytes -= old.weight;
  }
}
