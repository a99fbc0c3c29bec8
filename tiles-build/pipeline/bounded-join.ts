// Collects the fragments of a tile. When they exceed a limit, they are replaced by one fragment
// that represents them all, so that memory does not grow with the number of owners.

import type { MergedTile, TileJoin } from './merge-part.ts';

interface BoundedJoinOptions {
  /** Bytes of fragments kept without condensing. */
  readonly mostBytes: number;
  /**
   * Replace several fragments by one.
   * @param round how many earlier calls did not halve the allowed size; higher rounds condense more
   */
  readonly condense: (fragments: readonly Uint8Array[], round: number) => MergedTile;
  /** Make the tile from the remaining fragments. */
  readonly merge: (fragments: readonly Uint8Array[]) => MergedTile;
}

/** After this many rounds the limit is raised instead. */
const MAX_ROUNDS = 8;

export function boundedJoin({ mostBytes, condense, merge }: BoundedJoinOptions): TileJoin {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let most = mostBytes;
  let round = 0;
  let removedParts = 0;

  return {
    add(fragment) {
      held.push(fragment);
      bytes += fragment.length;
      while (bytes > most) {
        const condensed = condense(held, round);
        removedParts += condensed.removedParts ?? 0;
        held = [condensed.bytes];
        bytes = condensed.bytes.length;
        if (bytes <= most / 2) continue;
        // Raise the limit, or data that do not shrink would be condensed again for each fragment.
        if (round === MAX_ROUNDS) most = 2 * bytes;
        else round++;
      }
    },
    finish() {
      const merged = merge(held);
      return [{ bytes: merged.bytes, removedParts: removedParts + (merged.removedParts ?? 0) }];
    },
  };
}
