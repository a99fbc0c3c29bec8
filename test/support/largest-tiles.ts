// The largest tiles of an archive as they count for limits: vector tiles compressed, GeoJSON tiles as text.

import { gunzipSync } from 'node:zlib';
import { type Entry, tileIdToZxy } from 'pmtiles';
import { openPack, readPack } from '../../tiles-build/archive/pack.ts';
import { splitHash } from '../../tiles-build/archive/tile-bytes.ts';
import type { CrowdStore } from '../../tiles-build/crowd/store.ts';
import { entriesOf, fileSource } from './pmtiles-file.ts';

interface LargestTile {
  readonly bytes: number;
  readonly tile: string;
}

/** @param isZipped whether to count stored (compressed) bytes */
export async function largestTile(path: string, isZipped: boolean): Promise<LargestTile> {
  const source = fileSource(path);
  const textBytes = async ({ offset, length }: Entry): Promise<number> => {
    const { data } = await source.getBytes(offset, length);
    return gunzipSync(new Uint8Array(data)).length;
  };
  let largest: LargestTile = { bytes: 0, tile: 'none' };
  for (const entry of await entriesOf(path)) {
    const bytes = isZipped ? entry.length : await textBytes(entry);
    if (bytes > largest.bytes) largest = { bytes, tile: tileIdToZxy(entry.tileId).join('/') };
  }
  return largest;
}

/** Size of the largest stored tile of the shards of crowdsourced depths, bytes. */
export function largestCrowdTile(store: CrowdStore): number {
  let largest = 0;
  for (const shard of store.shards())
    for (const { bytes } of readPack(openPack(store.packPath(shard))))
      largest = Math.max(largest, splitHash(bytes).tile.length);
  return largest;
}
