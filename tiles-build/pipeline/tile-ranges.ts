// Divides the tile ids into ranges of similar size for merging in parallel. The borders follow the
// quadtree and the existing records, so a change of one cell moves no border elsewhere and other
// ranges stay valid in the cache.

import { zxyToTileId } from 'pmtiles';
import { lowerBound } from '../../shared/geo/sorted.ts';
import type { RecordList } from '../archive/record-list.ts';

/** Tile ids in [from, to). */
export interface TileRange {
  readonly from: number;
  readonly to: number;
}

type TileColumns = Pick<RecordList, 'tileIds' | 'sizes'>;

/** Records of one pack, from `first` up to but excluding `end`. */
export interface Span {
  /** Index of the pack in the list of packs. */
  readonly pack: number;
  readonly first: number;
  readonly end: number;
}

/** A range with at least one record, and its records in the order of the packs. */
interface PlannedRange extends TileRange {
  readonly spans: readonly Span[];
}

/**
 * Ranges in order that together contain every record of the packs. Each range has at least one
 * record. A range contains the tiles of one zoom below one ancestor tile; on the Hilbert curve
 * their ids are consecutive. A range whose records exceed `targetBytes` is quartered, down to
 * single tiles, so there are never more ranges than tiles.
 */
export function tileRanges(
  packs: readonly TileColumns[],
  targetBytes: number,
): readonly PlannedRange[] {
  const columns = packs.map((list, pack) => columnOf(list, pack));
  const lastId = columns.reduce((last, { tileIds }) => Math.max(last, tileIds.at(-1) ?? -1), -1);
  const ranges: PlannedRange[] = [];
  for (let zoom = 0; zxyToTileId(zoom, 0, 0) <= lastId; zoom++) {
    const from = zxyToTileId(zoom, 0, 0);
    quarter(columns, { from, to: from + 4 ** zoom }, targetBytes, ranges);
  }
  return ranges;
}

/** The records of one pack that may lie in a range. */
interface Column extends Span {
  readonly tileIds: Float64Array;
  /** Total bytes of the records before each record; the last value is the total of all. */
  readonly bytesBefore: Float64Array;
}

function columnOf({ tileIds, sizes }: TileColumns, pack: number): Column {
  const bytesBefore = new Float64Array(sizes.length + 1);
  sizes.forEach((size, i) => {
    bytesBefore[i + 1] = bytesBefore[i]! + size;
  });
  return { pack, tileIds, bytesBefore, first: 0, end: tileIds.length };
}

/** Quarter a range recursively; the depth is at most the zoom. */
function quarter(
  columns: readonly Column[],
  range: TileRange,
  targetBytes: number,
  ranges: PlannedRange[],
): void {
  const within = cutTo(columns, range);
  if (within.length === 0) return;
  const ids = range.to - range.from;
  if (ids === 1 || weightOf(within) <= targetBytes) {
    const spans = within.map(({ pack, first, end }) => ({ pack, first, end }));
    ranges.push({ ...range, spans });
    return;
  }
  const step = ids / 4;
  for (let from = range.from; from < range.to; from += step) {
    quarter(within, { from, to: from + step }, targetBytes, ranges);
  }
}

/** The columns with records in a range. Most of thousands of packs have no records there. */
function cutTo(columns: readonly Column[], { from, to }: TileRange): Column[] {
  const within: Column[] = [];
  for (const { pack, tileIds, bytesBefore, first, end } of columns) {
    if (first === end || tileIds[first]! >= to || tileIds[end - 1]! < from) continue;
    const start = lowerBound(tileIds, from, first, end);
    const stop = lowerBound(tileIds, to, start, end);
    if (stop > start) within.push({ pack, tileIds, bytesBefore, first: start, end: stop });
  }
  return within;
}

function weightOf(columns: readonly Column[]): number {
  return columns.reduce(
    (bytes, { bytesBefore, first, end }) => bytes + bytesBefore[end]! - bytesBefore[first]!,
    0,
  );
}
