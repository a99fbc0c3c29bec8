// One part of the merge: all tiles of one range of ids, out of the packs of all cells, finished and
// in order.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mergePacks, type TileRecords } from '../archive/merge-packs.ts';
import { createPackWriter, openPack } from '../archive/pack.ts';
import { withHash, zipTile } from '../archive/tile-bytes.ts';
import type { TileRange } from './tile-ranges.ts';

/** A tile of its fragments, not zipped yet. */
export interface MergedTile {
  readonly bytes: Uint8Array;
  /** Objects that were left out of it or that others stand for, as it would have been too large. */
  readonly thinned?: number;
}

/** Makes a tile of its fragments, one or more, in the order of their packs. */
export type MergeFragments = (fragments: readonly Uint8Array[], tileId: number) => MergedTile;

export interface MergePart {
  readonly packs: readonly string[];
  readonly range: TileRange;
  /** Path of the pack of finished tiles, each behind its content hash. */
  readonly out: string;
  /** Folder for temporary packs. */
  readonly scratch: string;
}

/** What the tiles of a part are. */
export interface MergeCounts {
  readonly tiles: number;
  /** Those that had several owners. */
  readonly shared: number;
  /** Objects that were left out for the limits of tiles, over all of them. */
  readonly thinned: number;
}

/** Merge one part. */
export function mergePart(part: MergePart, merge: MergeFragments): MergeCounts {
  const writer = createPackWriter(part.out);
  mkdirSync(part.scratch, { recursive: true });
  const scratch = mkdtempSync(join(part.scratch, 'merge-'));
  let tiles = 0;
  let shared = 0;
  let thinned = 0;
  try {
    const packs = part.packs.map(openPack);
    for (const tile of mergePacks(packs, { ...part.range, scratch })) {
      tiles++;
      if (tile.records.length > 1) shared++;
      const made = mergedTile(tile, merge);
      thinned += made.thinned ?? 0;
      writer.add({ tileId: tile.tileId, bytes: withHash(zipTile(made.bytes)) });
    }
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  writer.finish();
  return { tiles, shared, thinned };
}

function mergedTile({ records, tileId }: TileRecords, merge: MergeFragments): MergedTile {
  return merge(
    records.map((record) => record.bytes),
    tileId,
  );
}
