// Writes a PMTiles v3 archive from tiles in tile id order. The file contains header, root directory,
// leaf directories, metadata and tile data. The tiles are in memory until it is written.

import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { crc32, gzipSync } from 'node:zlib';
import { tileIdToZxy } from 'pmtiles';
import { emptyColumns, encodeDirectories, HEADER_BYTES } from '../../shared/pmtiles/directory.ts';
import { type Bounds, type Center, encodeHeader } from '../../shared/pmtiles/header.ts';
import { writeAll } from './file-bytes.ts';

/**
 * Content of the uncompressed tiles. PMTiles has a type for vector tiles; the other contents (JSON,
 * buckets of the feature query, sheets of the routes) have the type "unknown".
 */
export type ArchiveContent = 'mvt' | 'json' | 'buckets' | 'sheets';

interface ArchiveOptions {
  readonly path: string;
  readonly content: ArchiveContent;
  readonly bounds: Bounds;
  /** A zoom that the archive does not contain is replaced by the nearest one. */
  readonly center: Center;
  /** JSON metadata of the archive (name, description, vector_layers …) for its zoom range. */
  readonly metadata: (zooms: ZoomRange) => Readonly<Record<string, unknown>>;
}

export interface ZoomRange {
  readonly minZoom: number;
  readonly maxZoom: number;
}

export interface ArchiveSummary extends ZoomRange {
  /** Size and SHA-256 of the file. */
  readonly bytes: number;
  readonly sha256: string;
  /** Addressed tiles, counting each tile of a run. */
  readonly tiles: number;
  /** Header and directories, the first bytes of the archive, and their CRC-32. */
  readonly head: Uint8Array;
  readonly headSum: number;
}

interface ArchiveWriter {
  /**
   * Append a gzip-compressed tile. Pass `hash` if the content hash is already known.
   * @throws RangeError if tile ids are not ascending
   */
  add(tileId: number, tile: Uint8Array, hash?: Uint8Array): void;
  /** Write the file. An existing file is replaced. */
  finish(): ArchiveSummary;
}

export function createArchiveWriter(options: ArchiveOptions): ArchiveWriter {
  const data: Uint8Array[] = [];
  let dataBytes = 0;
  /** Offsets in the tile data, by content hash. */
  const known = new Map<string, number>();
  let columns = emptyColumns(1024);
  let count = 0;
  let contents = 0;
  let tiles = 0;
  let lastId = -1;

  const addEntry = (tileId: number, offset: number, length: number): void => {
    if (count === columns.tileIds.length) columns = grown(columns);
    columns.tileIds[count] = tileId;
    columns.offsets[count] = offset;
    columns.lengths[count] = length;
    columns.runLengths[count] = 1;
    count++;
  };

  return {
    add(tileId, tile, hash = contentHash(tile)) {
      if (!(tileId > lastId)) {
        throw new RangeError(`Tile ids must increase: ${tileId} follows ${lastId}.`);
      }
      const content = Buffer.from(hash).toString('latin1');
      let offset = known.get(content);
      if (offset === undefined) {
        offset = dataBytes;
        known.set(content, offset);
        data.push(tile);
        dataBytes += tile.length;
        contents++;
      }
      const extendsRun =
        count > 0 && tileId === lastId + 1 && columns.offsets[count - 1] === offset;
      if (extendsRun) columns.runLengths[count - 1]! += 1;
      else addEntry(tileId, offset, tile.length);
      lastId = tileId;
      tiles++;
    },

    finish() {
      const minZoom = count === 0 ? 0 : tileIdToZxy(columns.tileIds[0]!)[0];
      const maxZoom = count === 0 ? 0 : tileIdToZxy(lastId)[0];
      const packed = (bytes: Uint8Array | string) => gzipSync(bytes, { level: 9 });
      const metadata = packed(JSON.stringify(options.metadata({ minZoom, maxZoom })));
      const { root, leaves } = encodeDirectories({ count, ...columns }, packed);
      const leavesAt = HEADER_BYTES + root.length;
      const metadataAt = leavesAt + leaves.length;
      const { center } = options;
      const header = encodeHeader({
        isPacked: true,
        rootBytes: root.length,
        metadata: [metadataAt, metadata.length],
        leaves: [leavesAt, leaves.length],
        data: [metadataAt + metadata.length, dataBytes],
        counts: [tiles, count, contents],
        isVector: options.content === 'mvt',
        zooms: [minZoom, maxZoom],
        bounds: options.bounds,
        center: { ...center, zoom: Math.min(Math.max(center.zoom, minZoom), maxZoom) },
      });
      const head = Buffer.concat([header, root, leaves]);
      const file = writeChunks(options.path, [head, metadata, ...data]);
      return {
        ...file,
        tiles,
        minZoom,
        maxZoom,
        head,
        headSum: crc32(head),
      };
    },
  };
}

/** Bytes of a content hash. */
export const HASH_BYTES = 16;

/** Content hash of a tile: SHA-256, cut to 128 bits. */
export function contentHash(tile: Uint8Array): Uint8Array {
  return createHash('sha256').update(tile).digest().subarray(0, HASH_BYTES);
}

/** Chunks are written together from this size on. */
const WRITE_BYTES = 1 << 20;

function writeChunks(path: string, chunks: readonly Uint8Array[]) {
  const hash = createHash('sha256');
  const file = openSync(path, 'w');
  let bytes = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const flush = () => {
    const block = Buffer.concat(waiting, waitingBytes);
    writeAll(file, block);
    hash.update(block);
    bytes += waitingBytes;
    [waiting, waitingBytes] = [[], 0];
  };
  try {
    for (const chunk of chunks) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= WRITE_BYTES) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
  return { bytes, sha256: hash.digest('hex') };
}

function grown(columns: ReturnType<typeof emptyColumns>): ReturnType<typeof emptyColumns> {
  const larger = emptyColumns(columns.tileIds.length * 2);
  larger.tileIds.set(columns.tileIds);
  larger.offsets.set(columns.offsets);
  larger.lengths.set(columns.lengths);
  larger.runLengths.set(columns.runLengths);
  return larger;
}
