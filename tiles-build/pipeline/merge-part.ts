// Merges one part of a tileset: all tiles in one range of ids, from the packs of all cells, in
// order.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mergeRecords } from '../archive/merge-packs.ts';
import { createPackWriter, openPack } from '../archive/pack.ts';
import { withHash, zipTile } from '../archive/tile-bytes.ts';
import { unfinishedPath } from '../archive/unfinished.ts';
import type { TileRange } from './tile-ranges.ts';

/** A merged tile, not yet compressed. */
export interface MergedTile {
  readonly bytes: Uint8Array;
  /** Objects left out or combined because the tile would have been too large. */
  readonly removedParts?: number;
  /** Added to the tile id, for a tile whose fragments become several tiles. */
  readonly page?: number;
  /** True if a later step of the build makes the final tile from it. */
  readonly isInterim?: boolean;
}

/**
 * Makes a tile of one or more fragments, which arrive in the order of their packs. Its memory must
 * not grow with their number.
 */
export interface TileJoin {
  add(fragment: Uint8Array): void;
  /** The tile, possibly as several records. Called once, after the last fragment. */
  finish(): Iterable<MergedTile>;
  /** Called instead of `finish` after a failure. */
  abandon?(): void;
}

/** @param scratch folder for temporary files; only one tile is joined there at a time */
export type BeginTile = (tileId: number, scratch: string) => TileJoin;

export interface MergePart {
  readonly packs: readonly string[];
  readonly range: TileRange;
  /** Path of the pack to write: finished tiles, each after its content hash, or interim records. */
  readonly out: string;
  /** Folder for temporary packs. */
  readonly scratch: string;
  /** The pack that an earlier build wrote for the range. */
  readonly former?: string | undefined;
}

/** Numbers of the tiles of a part. */
export interface MergeCounts {
  readonly tiles: number;
  /** Tiles with several owners. */
  readonly mergedTiles: number;
  /** Objects left out because of the size limit, in all tiles. */
  readonly removedParts: number;
}

/** Merge one part. */
export function mergePart(part: MergePart, begin: BeginTile): MergeCounts {
  const writer = createPackWriter(part.out);
  const scratch = unfinishedPath(join(part.scratch, 'merge'));
  mkdirSync(scratch, { recursive: true });
  const counts = { tiles: 0, mergedTiles: 0, removedParts: 0 };
  let open: { readonly tileId: number; readonly join: TileJoin; fragments: number } | undefined;
  const finish = (): void => {
    if (open === undefined) return;
    const { tileId, join, fragments } = open;
    for (const { bytes, removedParts = 0, page = 0, isInterim = false } of join.finish()) {
      // Interim records are small: the squares in them are compressed already.
      const record = isInterim ? bytes : withHash(zipTile(bytes));
      writer.add({ tileId: tileId + page, bytes: record });
      counts.removedParts += removedParts;
    }
    counts.tiles++;
    if (fragments > 1) counts.mergedTiles++;
    open = undefined;
  };
  try {
    for (const { tileId, bytes } of mergeRecords(part.packs.map(openPack), {
      ...part.range,
      scratch,
    })) {
      if (open?.tileId !== tileId) {
        finish();
        open = { tileId, join: begin(tileId, scratch), fragments: 0 };
      }
      open!.join.add(bytes);
      open!.fragments++;
    }
    finish();
  } catch (error) {
    open?.join.abandon?.();
    writer.abandon();
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  writer.finish();
  return counts;
}
