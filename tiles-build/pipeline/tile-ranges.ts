// Cuts the space of tile ids into ranges of similar weight for merging side by side. Cuts follow
// the quadtree and the records that exist, so a change of one cell moves no cut elsewhere and
// finished ranges stay valid.

import { zxyToTileId } from 'pmtiles';
import { lowerBound } from '../../shared/geo/sorted.ts';
import type { RecordList } from '../archive/record-list.ts';

/** Tile ids in [from, to). */
export interface TileRange {
  readonly from: number;
  readonly to: number;
}

/** Records of one pack, from `first` to before `end`. */
export interface Span {
  /** Place of the pack in the list of packs. */
  readonly pack: number;
  readonly first: number;
  readonly end: number;
}

/** A range that has records, and where they are, in the order of the packs. */
interface PlannedRange extends TileRange {
  readonly spans: readonly Span[];
}

/**
 * Ranges in order that together hold every record of the packs, each at least one. A range is one
 * zoom's tiles below one ancestor tile: on the Hilbert curve these ids are consecutive. It is
 * quartered while its records weigh more than `targetBytes`, and its spans are of packs with records in
 * it: so there are never more ranges than tiles, however large a record is and however far apart two
 * neighbours in a pack lie.
 */
export function tileRanges(
  packs: readonly RecordList[],
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

/** The records of one pack that a range may hold. */
interface Column extends Span {
  readonly tileIds: Float64Array;
  /** Bytes of all records before each, and of all. */
  readonly bytesBefore: Float64Array;
}

function columnOf({ tileIds, sizes }: RecordList, pack: number): Column {
  const bytesBefore = new Float64Array(sizes.length + 1);
  sizes.forEach((size, i) => {
    bytesBefore[i + 1] = bytesBefore[i]! + size;
  });
  return { pack, tileIds, bytesBefore, first: 0, end: tileIds.length };
}

/** As deep as the zoom at most. */
function quarter(
  columns: readonly Column[],
  range: TileRange,
  targetBytes: number,
  ranges: PlannedRange[],
): void {
  const within = columns.map((column) => cutTo(column, range)).filter((c) => c.end > c.first);
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

function cutTo(column: Column, { from, to }: TileRange): Column {
  const first = lowerBound(column.tileIds, from, column.first, column.end);
  return { ...column, first, end: lowerBound(column.tileIds, to, first, column.end) };
}

function weightOf(columns: readonly Column[]): number {
  return columns.reduce(
    (bytes, { bytesBefore, first, end }) => bytes + bytesBefore[end]! - bytesBefore[first]!,
    0,
  );
}
