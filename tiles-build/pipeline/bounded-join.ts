// Fragments of a tile, held until they are too many, and then replaced by one that stands for all of
// them: so a tile of any number of owners takes no more memory.

import type { MergedTile, TileJoin } from './merge-part.ts';

interface BoundedJoinOptions {
  /** Bytes of fragments that are held as they are. */
  readonly mostBytes: number;
  /**
   * One fragment that stands for several.
   * @param round how often this did not make them less than half of what may be held
   */
  readonly condense: (fragments: readonly Uint8Array[], round: number) => MergedTile;
  /** The tile of what is held in the end. */
  readonly merge: (fragments: readonly Uint8Array[]) => MergedTile;
}

/** What cannot be made less in so many rounds is held as it is. */
const MOST_ROUNDS = 8;

export function boundedJoin({ mostBytes, condense, merge }: BoundedJoinOptions): TileJoin {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let most = mostBytes;
  let round = 0;
  let thinned = 0;

  return {
    add(fragment) {
      held.push(fragment);
      bytes += fragment.length;
      while (bytes > most) {
        const made = condense(held, round);
        thinned += made.thinned ?? 0;
        held = [made.bytes];
        bytes = made.bytes.length;
        if (bytes <= most / 2) continue;
        // So that what does not shrink is not condensed anew for each fragment.
        if (round === MOST_ROUNDS) most = 2 * bytes;
        else round++;
      }
    },
    finish() {
      const made = merge(held);
      return [{ bytes: made.bytes, thinned: thinned + (made.thinned ?? 0) }];
    },
  };
}
