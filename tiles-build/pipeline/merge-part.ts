// One part of the merge: all tiles of one range of ids, out of the packs of all cells, finished and
// in order.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mergePacks, type TileRecords } from '../archive/merge-packs.ts';
import { createPackWriter, openPack } from '../archive/pack.ts';
import { withHash, zipTile } from '../archive/tile-bytes.ts';
import type { TileRange } from './tile-ranges.ts';

/** Makes a tile of its fragments, one or more, in the order of their packs. */
export type MergeFragments = (fragments: readonly Uint8Array[]) => Uint8Array;

export interface MergePart {
  readonly packs: readonly string[];
  readonly range: TileRange;
  /** Path of the pack of finished tiles, each behind its content hash. */
  readonly out: string;
  /** Folder for temporary packs. */
  readonly scratch: string;
}

/** Merge one part. Returns how many tiles it has and how many of them had several owners. */
export function mergePart(
  part: MergePart,
  merge: MergeFragments,
): { readonly tiles: number; readonly shared: number } {
  const writer = createPackWriter(part.out);
  mkdirSync(part.scratch, { recursive: true });
  const scratch = mkdtempSync(join(part.scratch, 'merge-'));
  let tiles = 0;
  let shared = 0;
  try {
    const packs = part.packs.map(openPack);
    for (const tile of mergePacks(packs, { ...part.range, scratch })) {
      tiles++;
      if (tile.records.length > 1) shared++;
      writer.add({ tileId: tile.tileId, bytes: withHash(finishedTile(tile, merge)) });
    }
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  writer.finish();
  return { tiles, shared };
}

function finishedTile({ records }: TileRecords, merge: MergeFragments): Uint8Array {
  return zipTile(merge(records.map((record) => record.bytes)));
}
