// Cuts the space of tile ids into ranges of similar weight for merging side by side. Cuts follow
// the quadtree, so a change of one cell moves no cut elsewhere and finished ranges stay valid.

import { zxyToTileId } from 'pmtiles';
import { blocksInRange, type Pack } from '../archive/pack.ts';

/** Tile ids in [from, to). */
export interface TileRange {
  readonly from: number;
  readonly to: number;
}

const DEFAULT_TARGET_BYTES = 8 << 20;

/**
 * Ranges in order that together hold every record of the packs. A range is one zoom's tiles below
 * one ancestor tile: on the Hilbert curve these ids are consecutive. It is quartered while the
 * blocks it touches weigh more than `targetBytes`.
 */
export function tileRanges(
  packs: readonly Pack[],
  targetBytes = DEFAULT_TARGET_BYTES,
): readonly TileRange[] {
  const lastId = Math.max(-1, ...packs.filter((pack) => pack.records > 0).map((p) => p.lastId));
  const ranges: TileRange[] = [];
  for (let zoom = 0; zxyToTileId(zoom, 0, 0) <= lastId; zoom++) {
    const from = zxyToTileId(zoom, 0, 0);
    ranges.push(...quartered(packs, { from, to: from + 4 ** zoom }, targetBytes));
  }
  return ranges;
}

function quartered(
  packs: readonly Pack[],
  range: TileRange,
  targetBytes: number,
): readonly TileRange[] {
  const touched = packs.filter((pack) => hasBlocks(pack, range));
  const ids = range.to - range.from;
  if (touched.length === 0) return [];
  if (ids === 1 || weightOf(touched, range) <= targetBytes) return [range];
  const quarter = ids / 4;
  return [0, 1, 2, 3].flatMap((i) =>
    quartered(
      touched,
      { from: range.from + i * quarter, to: range.from + (i + 1) * quarter },
      targetBytes,
    ),
  );
}

/** The packs that may hold records in a range, in their order. */
export function packsInRange(packs: readonly Pack[], range: TileRange): readonly Pack[] {
  return packs.filter((pack) => hasBlocks(pack, range));
}

function hasBlocks(pack: Pack, { from, to }: TileRange): boolean {
  const [first, end] = blocksInRange(pack, from, to);
  return end > first;
}

function weightOf(packs: readonly Pack[], { from, to }: TileRange): number {
  let bytes = 0;
  for (const pack of packs) {
    const [first, end] = blocksInRange(pack, from, to);
    bytes += pack.blockOffsets[end]! - pack.blockOffsets[first]!;
  }
  return bytes;
}
