// Writes a PMTiles v3 archive in one pass from tiles in tile id order. The tile data follows a
// reserved area of 16 KiB, then metadata and leaf directories; header and root directory are
// written to the reserved area last.

import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { tileIdToZxy } from 'pmtiles';
import {
  emptyColumns,
  encodeDirectories,
  FIRST_READ_BYTES,
} from '../../shared/pmtiles/directory.ts';
import { type Bounds, type Center, encodeHeader } from '../../shared/pmtiles/header.ts';
import { ContentIndex, HASH_BYTES } from './content-index.ts';

/**
 * Content of the uncompressed tiles. PMTiles has a type for vector tiles; the other contents (JSON,
 * buckets of the feature query, sheets of the routes) have the type "unknown".
 */
export type ArchiveContent = 'mvt' | 'json' | 'buckets' | 'sheets';

interface ArchiveOptions {
  readonly path: string;
  readonly content: ArchiveContent;
  readonly bounds: Bounds;
  readonly center: Center;
  /** JSON metadata of the archive (name, description, vector_layers …) for its zoom range. */
  readonly metadata: (zooms: ZoomRange) => Readonly<Record<string, unknown>>;
}

interface ZoomRange {
  readonly minZoom: number;
  readonly maxZoom: number;
}

export interface ArchiveSummary extends ZoomRange {
  /** Size of the file. */
  readonly bytes: number;
  /** Addressed tiles, counting each tile of a run. */
  readonly tiles: number;
  readonly entries: number;
  /** Number of distinct contents. */
  readonly contents: number;
  /** Header and root directory, the first bytes of the archive. */
  readonly head: Uint8Array;
}

interface ArchiveWriter {
  /**
   * Append a gzip-compressed tile. Pass `hash` if the content hash is already known.
   * @throws RangeError if tile ids are not ascending
   */
  add(tileId: number, tile: Uint8Array, hash?: Uint8Array): void;
  /** Write directories, metadata and header, and close the file. */
  finish(): ArchiveSummary;
  /** Close the incomplete file after a failure. */
  abandon(): void;
}

const BUFFER_BYTES = 1 << 20;

/** Create an archive. An existing file is replaced. */
export function createArchiveWriter(options: ArchiveOptions): ArchiveWriter {
  const sink = createSink(options.path, FIRST_READ_BYTES);
  const known = new ContentIndex();
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
      const here = { offset: sink.position() - FIRST_READ_BYTES, length: tile.length };
      const place = known.findOrAdd(hash, here) ?? here;
      if (place === here) {
        sink.write(tile);
        contents++;
      }
      const extendsRun =
        count > 0 && tileId === lastId + 1 && columns.offsets[count - 1] === place.offset;
      if (extendsRun) columns.runLengths[count - 1]! += 1;
      else addEntry(tileId, place.offset, place.length);
      lastId = tileId;
      tiles++;
    },

    finish() {
      const dataBytes = sink.position() - FIRST_READ_BYTES;
      const minZoom = count === 0 ? 0 : tileIdToZxy(columns.tileIds[0]!)[0];
      const maxZoom = count === 0 ? 0 : tileIdToZxy(lastId)[0];
      const metadataText = JSON.stringify(options.metadata({ minZoom, maxZoom }));
      const metadata = gzipSync(metadataText, { level: 9 });
      const { root, leaves } = encodeDirectories({ count, ...columns }, (bytes) =>
        gzipSync(bytes, { level: 9 }),
      );
      const metadataOffset = sink.position();
      sink.write(metadata);
      sink.write(leaves);
      const bytes = sink.position();

      const header = encodeHeader({
        isPacked: true,
        rootBytes: root.length,
        metadata: [metadataOffset, metadata.length],
        leaves: [metadataOffset + metadata.length, leaves.length],
        data: [FIRST_READ_BYTES, dataBytes],
        counts: [tiles, count, contents],
        isVector: options.content === 'mvt',
        zooms: [minZoom, maxZoom],
        bounds: options.bounds,
        center: options.center,
      });
      const head = Buffer.concat([header, root]);
      sink.finish(head);
      return { bytes, tiles, entries: count, contents, minZoom, maxZoom, head };
    },

    abandon: () => sink.abandon(),
  };
}

/** Content hash of a tile: SHA-256 truncated to 16 bytes. */
export function contentHash(tile: Uint8Array): Uint8Array {
  return createHash('sha256').update(tile).digest().subarray(0, HASH_BYTES);
}

/** Buffered writer whose first `reserved` bytes are written at the end. */
function createSink(path: string, reserved: number) {
  const file = openSync(path, 'w');
  const buffer = new Uint8Array(BUFFER_BYTES);
  let buffered = 0;
  let written = reserved;

  const flush = (): void => {
    writeFully(file, buffer.subarray(0, buffered), written);
    written += buffered;
    buffered = 0;
  };
  return {
    position: () => written + buffered,
    write(bytes: Uint8Array): void {
      if (buffered + bytes.length > BUFFER_BYTES) flush();
      if (bytes.length > BUFFER_BYTES) {
        writeFully(file, bytes, written);
        written += bytes.length;
      } else {
        buffer.set(bytes, buffered);
        buffered += bytes.length;
      }
    },
    finish(head: Uint8Array): void {
      flush();
      writeFully(file, head, 0);
      closeSync(file);
    },
    abandon: () => closeSync(file),
  };
}

function writeFully(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

function grown(columns: ReturnType<typeof emptyColumns>): ReturnType<typeof emptyColumns> {
  const larger = emptyColumns(columns.tileIds.length * 2);
  larger.tileIds.set(columns.tileIds);
  larger.offsets.set(columns.offsets);
  larger.lengths.set(columns.lengths);
  larger.runLengths.set(columns.runLengths);
  return larger;
}
