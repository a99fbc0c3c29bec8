// An archive on disk for the pmtiles reader.

import { open } from 'node:fs/promises';
import { type Entry, PMTiles, type Source, tileIdToZxy } from 'pmtiles';

export function fileSource(path: string): Source {
  return {
    getKey: () => path,
    getBytes: async (offset, length) => {
      const file = await open(path);
      try {
        const bytes = new Uint8Array(length);
        const { bytesRead } = await file.read(bytes, 0, length, offset);
        return { data: bytes.slice(0, bytesRead).buffer };
      } finally {
        await file.close();
      }
    },
  };
}

/** The entries of an archive with the place of their bytes in its file, as the pmtiles reader finds them. */
export async function entriesOf(path: string): Promise<Entry[]> {
  const source = fileSource(path);
  const archive = new PMTiles(source);
  const header = await archive.getHeader();
  const found: Entry[] = [];
  const look = async (at: number, length: number): Promise<void> => {
    for (const entry of await archive.cache.getDirectory(source, at, length, header)) {
      const { runLength, offset } = entry;
      if (runLength === 0) await look(header.leafDirectoryOffset + offset, entry.length);
      else found.push({ ...entry, offset: header.tileDataOffset + offset });
    }
  };
  await look(header.rootDirectoryOffset, header.rootDirectoryLength);
  return found;
}

/** Every tile of an archive: zoom, column, row. */
export async function tilesOf(path: string): Promise<[z: number, x: number, y: number][]> {
  const entries = await entriesOf(path);
  return entries.flatMap(({ tileId, runLength }) =>
    Array.from({ length: runLength }, (_, i) => tileIdToZxy(tileId + i)),
  );
}
