// Opens archives on disk with the `pmtiles` package, an independent reader, for inspection,
// publishing and tests.

import { type FileHandle, open } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { Compression, PMTiles, type RangeResponse, ResolvedValueCache, type Source } from 'pmtiles';
import type { TileId } from '../../shared/geo/tile.ts';

/** An open archive; `close` it when done. */
export interface OpenArchive {
  readonly archive: PMTiles;
  close(): Promise<void>;
}

/** Open an archive for reading. Tiles are returned uncompressed. */
export async function openArchive(path: string): Promise<OpenArchive> {
  const file = await open(path, 'r');
  const cache = new ResolvedValueCache(64, undefined, unzip);
  const archive = new PMTiles(new FileSource(path, file), cache, unzip);
  return { archive, close: () => file.close() };
}

/** Files of one archive, each opened when its first tile is read. */
export interface OpenFiles {
  /** The uncompressed tile of a file; `undefined` if the file does not contain it. */
  read(path: string, tile: TileId): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export function openFiles(): OpenFiles {
  const opened = new Map<string, Promise<OpenArchive>>();
  return {
    async read(path, { z, x, y }) {
      const file = opened.get(path) ?? openArchive(path);
      opened.set(path, file);
      const found = await (await file).archive.getZxy(z, x, y);
      return found && new Uint8Array(found.data);
    },
    async close() {
      for (const file of opened.values()) await (await file).close();
    },
  };
}

class FileSource implements Source {
  private readonly path: string;
  private readonly file: FileHandle;

  constructor(path: string, file: FileHandle) {
    this.path = path;
    this.file = file;
  }

  getKey(): string {
    return this.path;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, offset);
    return { data: bytes.buffer.slice(0, bytesRead) };
  }
}

async function unzip(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None) return bytes;
  if (compression !== Compression.Gzip) throw new Error(`Unknown compression ${compression}.`);
  return Uint8Array.from(gunzipSync(bytes)).buffer;
}
