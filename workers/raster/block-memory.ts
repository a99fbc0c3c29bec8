// The isolate's own memory of prepared blocks: bounded by what they hold, the longest unused go
// first. Sixteen raster tiles look at each block, mostly within seconds.

import type { PreparedBlock } from '../../shared/raster/block.ts';

/** Numbers in all blocks together: some 30 MB with what surrounds them. */
const MAX_WEIGHT = 2_000_000;
const ENTRY_WEIGHT = 500;

/** A cache named as one; keys hold the build id, so old builds leave by themselves. */
const blocks = new Map<string, PreparedBlock>();
let held = 0;

export function recallBlock(key: string): PreparedBlock | undefined {
  const found = blocks.get(key);
  if (found === undefined) return undefined;
  // Moved to the end: maps keep the order of insertion.
  blocks.delete(key);
  blocks.set(key, found);
  return found;
}

export function rememberBlock(key: string, block: PreparedBlock): void {
  if (blocks.has(key)) return;
  blocks.set(key, block);
  held += block.weight + ENTRY_WEIGHT;
  for (const [oldKey, old] of blocks) {
    if (held <= MAX_WEIGHT || oldKey === key) break;
    blocks.delete(oldKey);
    held -= old.weight + ENTRY_WEIGHT;
  }
}
