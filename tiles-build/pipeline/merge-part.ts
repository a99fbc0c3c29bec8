// One part of the merge: all tiles of one range of ids, out of the packs of all cells, finished and
// in order.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mergeRecords } from '../archive/merge-packs.ts';
import { createPackWriter, openPack } from '../archive/pack.ts';
import { withHash, zipInterim, zipTile } from '../archive/tile-bytes.ts';
import type { TileRange } from './tile-ranges.ts';

/** A tile of its fragments, not zipped yet. */
export interface MergedTile {
  readonly bytes: Uint8Array;
  /** Objects that were left out of it or that others stand for, as it would have been too large. */
  readonly thinned?: number;
  /** Added to the tile's id, where the tile is the first of several that its fragments become. */
  readonly page?: number;
  /** Whether it goes into no archive as it is: another step of the build makes tiles of it. */
  readonly isInterim?: boolean;
}

/**
 * Makes a tile of its fragments, one or more, which come one by one in the order of their packs: what
 * it holds of them meanwhile must not grow with their number.
 */
export interface TileJoin {
  add(fragment: Uint8Array): void;
  /** The tile, which may be kept in several records. Called once, after the last fragment. */
  finish(): Iterable<MergedTile>;
  /** Called instead of `finish` after a failure. */
  abandon?(): void;
}

/** @param scratch folder for temporary files; one tile at a time is joined there */
export type BeginTile = (tileId: number, scratch: string) => TileJoin;

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
export function mergePart(part: MergePart, begin: BeginTile): MergeCounts {
  const writer = createPackWriter(part.out);
  mkdirSync(part.scratch, { recursive: true });
  const scratch = mkdtempSync(join(part.scratch, 'merge-'));
  const counts = { tiles: 0, shared: 0, thinned: 0 };
  let open: { readonly tileId: number; readonly join: TileJoin; fragments: number } | undefined;
  const finish = (): void => {
    if (open === undefined) return;
    const { tileId, join, fragments } = open;
    for (const { bytes, thinned = 0, page = 0, isInterim = false } of join.finish()) {
      const zipped = isInterim ? zipInterim(bytes) : zipTile(bytes);
      writer.add({ tileId: tileId + page, bytes: withHash(zipped) });
      counts.thinned += thinned;
    }
    counts.tiles++;
    if (fragments > 1) counts.shared++;
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
