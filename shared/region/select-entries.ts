// Selects the entries of an archive in ranges of tile ids, by reading the directories of its parts.

import { type Entry, tileIdToZxy } from 'pmtiles';
import type { GeoBounds } from '../chart/bounds.ts';
import { addressOf, type PartIndex } from '../chart/part-index.ts';
import { type IdRange, isInBox, isInSpans } from './tile-ranges.ts';

/** Offsets of directories and tiles from the archive's header. */
export interface ArchiveShape {
  readonly rootDirectoryOffset: number;
  readonly rootDirectoryLength: number;
  readonly leafDirectoryOffset: number;
  readonly tileDataOffset: number;
  readonly tileDataLength?: number;
}

type ReadDirectory = (offset: number, length: number) => Promise<readonly Entry[]>;

/** Maximum depth of directories. */
const MAX_LEVELS = 4;
/** Number of parts or leaf directories read concurrently. */
const AT_ONCE = 6;

/** Limits of a selection. A missing value means no limit. */
interface SelectLimits {
  readonly entries?: number;
  readonly parts?: number;
}

type OpenPart = (
  part: number,
) => Promise<{ readonly header: ArchiveShape; readonly readDirectory: ReadDirectory }>;

interface Selection {
  /** The box of the ranges; other parts are not read. */
  readonly bounds: GeoBounds;
  readonly ranges: readonly IdRange[];
}

/**
 * The entries of an archive in ascending order, with addresses as offsets, or `undefined` if a limit
 * is exceeded.
 */
export async function selectFromParts(
  index: PartIndex,
  openPart: OpenPart,
  { bounds, ranges }: Selection,
  { entries: mostEntries = Number.POSITIVE_INFINITY, parts: mostParts }: SelectLimits = {},
): Promise<Entry[] | undefined> {
  const wanted = [...index.parts.entries()].filter(
    ([, { region }]) => region === undefined || isInBox(bounds, region),
  );
  if (wanted.length > (mostParts ?? Number.POSITIVE_INFINITY)) return undefined;
  const found: Entry[] = [];
  for (let i = 0; i < wanted.length; i += AT_ONCE) {
    const batch = wanted.slice(i, i + AT_ONCE);
    const selected = await Promise.all(
      batch.map(async ([number]) => {
        const { header, readDirectory } = await openPart(number);
        const entries = await selectEntries(header, readDirectory, ranges, mostEntries);
        return { start: addressOf(number, header.tileDataOffset), entries };
      }),
    );
    for (const { start, entries } of selected) {
      if (entries === undefined || found.length + entries.length > mostEntries) return undefined;
      for (const entry of entries) found.push({ ...entry, offset: start + entry.offset });
    }
  }
  return found.sort((a, b) => a.tileId - b.tileId);
}

/**
 * The entries of one part in ascending order, with runs clipped to the ranges, or `undefined` if there
 * are too many.
 */
export async function selectEntries(
  header: ArchiveShape,
  readDirectory: ReadDirectory,
  ranges: readonly IdRange[],
  mostEntries = Number.POSITIVE_INFINITY,
): Promise<Entry[] | undefined> {
  const found: Entry[] = [];
  const visit = async (entries: readonly Entry[], end: number, level: number): Promise<boolean> => {
    if (level > MAX_LEVELS) throw new Error('directories are nested too deeply');
    const leaves: { readonly entry: Entry; readonly end: number }[] = [];
    for (const [i, entry] of entries.entries()) {
      const next = Math.min(end, entries[i + 1]?.tileId ?? end);
      if (entry.runLength === 0) {
        if (touches(ranges, entry.tileId, next)) leaves.push({ entry, end: next });
      } else addCut(header, entry, ranges, found);
      if (found.length > mostEntries) return false;
    }
    for (let i = 0; i < leaves.length; i += AT_ONCE) {
      const batch = leaves.slice(i, i + AT_ONCE);
      const read = await Promise.all(
        batch.map(({ entry }) =>
          readDirectory(header.leafDirectoryOffset + entry.offset, entry.length),
        ),
      );
      for (const [j, directory] of read.entries()) {
        if (!(await visit(directory, batch[j]!.end, level + 1))) return false;
      }
    }
    return true;
  };
  const root = await readDirectory(header.rootDirectoryOffset, header.rootDirectoryLength);
  if (!(await visit(root, Number.POSITIVE_INFINITY, 1))) return undefined;
  // A directory can contain tiles between its leaves.
  return found.sort((a, b) => a.tileId - b.tileId);
}

function addCut(
  header: ArchiveShape,
  { tileId, runLength, offset, length }: Entry,
  ranges: readonly IdRange[],
  found: Entry[],
): void {
  const end = tileId + runLength;
  for (let i = firstAfter(ranges, tileId); i < ranges.length && ranges[i]!.from < end; i++) {
    if (offset + length > (header.tileDataLength ?? Number.POSITIVE_INFINITY)) {
      throw new Error('an entry is outside the tile data');
    }
    const from = Math.max(tileId, ranges[i]!.from);
    const to = Math.min(end, ranges[i]!.to);
    for (const run of runsWithin(ranges[i]!, from, to)) found.push({ ...run, offset, length });
  }
}

/** The ids in [from, to) that a range contains, as runs. */
function runsWithin(
  { within }: IdRange,
  from: number,
  to: number,
): { tileId: number; runLength: number }[] {
  if (within === undefined) return [{ tileId: from, runLength: to - from }];
  const runs: { tileId: number; runLength: number }[] = [];
  for (let id = from; id < to; id++) {
    const [, x, y] = tileIdToZxy(id);
    if (!isInSpans(within, x, y)) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.tileId + last.runLength === id) last.runLength++;
    else runs.push({ tileId: id, runLength: 1 });
  }
  return runs;
}

const touches = (ranges: readonly IdRange[], from: number, to: number): boolean =>
  (ranges[firstAfter(ranges, from)]?.from ?? Number.POSITIVE_INFINITY) < to;

/** Index of the first range that ends after an id. */
function firstAfter(ranges: readonly IdRange[], id: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.to > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
