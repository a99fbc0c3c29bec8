// The isolate's own memory of tiles: bounded by bytes, the longest unused go first.

export interface StoredTile {
  readonly bytes: Uint8Array;
  readonly encoding: 'gzip' | 'identity';
}

const MAX_BYTES = 24 * 1024 * 1024;
/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 200;

/** A cache named as one; keys hold the build id, so old builds leave by themselves. */
const tiles = new Map<string, StoredTile>();
let held = 0;

export function recall(key: string): StoredTile | undefined {
  const found = tiles.get(key);
  if (found === undefined) return undefined;
  // Moved to the end: maps keep the order of insertion.
  tiles.delete(key);
  tiles.set(key, found);
  return found;
}

export function remember(key: string, tile: StoredTile): void {
  if (tile.bytes.length > MAX_BYTES / 8 || tiles.has(key)) return;
  tiles.set(key, tile);
  held += tile.bytes.length + ENTRY_BYTES;
  for (const [oldKey, old] of tiles) {
    if (held <= MAX_BYTES) break;
    tiles.delete(oldKey);
    held -= old.bytes.length + ENTRY_BYTES;
  }
}
