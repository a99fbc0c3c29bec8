// The largest tiles of an archive, as they are limited: vector tiles zipped, GeoJSON tiles as text.

import { gunzipSync } from 'node:zlib';
import { type Entry, PMTiles, tileIdToZxy } from 'pmtiles';
import { fileSource } from './pmtiles-file.ts';

interface LargestTile {
  readonly bytes: number;
  readonly tile: string;
}

/** @param isZipped whether bytes count as they are stored */
export async function largestTile(path: string, isZipped: boolean): Promise<LargestTile> {
  const source = fileSource(path);
  const archive = new PMTiles(source);
  const header = await archive.getHeader();
  let largest: LargestTile = { bytes: 0, tile: 'none' };
  const look = async (offset: number, length: number): Promise<void> => {
    for (const entry of await archive.cache.getDirectory(source, offset, length, header)) {
      if (entry.runLength === 0) {
        await look(header.leafDirectoryOffset + entry.offset, entry.length);
        continue;
      }
      const bytes = isZipped ? entry.length : await textBytes(entry);
      if (bytes > largest.bytes) largest = { bytes, tile: tileIdToZxy(entry.tileId).join('/') };
    }
  };
  const textBytes = async ({ offset, length }: Entry): Promise<number> => {
    const { data } = await source.getBytes(header.tileDataOffset + offset, length);
    return gunzipSync(new Uint8Array(data)).length;
  };
  await look(header.rootDirectoryOffset, header.rootDirectoryLength);
  return largest;
}
