// The largest tiles of an archive as they count for limits: vector tiles compressed, GeoJSON tiles as text.

import { gunzipSync } from 'node:zlib';
import { type Entry, tileIdToZxy } from 'pmtiles';
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
