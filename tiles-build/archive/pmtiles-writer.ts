// Writes one PMTiles v3 archive from tiles that arrive in tile id order, in one pass: the tile data
// is streamed behind a reserved first 16 KiB, metadata and leaf directories follow, and the header
// with the root directory is put into the reserved place last.

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
 * What the tiles hold once unzipped. PMTiles has a number for vector tiles; JSON, the feature query's
 * buckets and the routes' sheets are "unknown".
 */
export type ArchiveContent = 'mvt' | 'json' | 'buckets' | 'sheets';

interface ArchiveOptions {
  readonly path: string;
  readonly content: ArchiveContent;
  readonly bounds: Bounds;
  readonly center: Center;
  /** The archive's JSON metadata (name, description, vector_layers …), once its zooms are known. */
  readonly metadata: (zooms: ZoomRange) => Readonly<Record<string, unknown>>;
}

interface ZoomRange {
  readonly minZoom: number;
  readonly maxZoom: number;
}

export interface ArchiveSummary extends ZoomRange {
  /** Length of the whole file. */
  readonly bytes: number;
  /** Tiles that can be asked for, counting each of a run. */
  readonly tiles: number;
  readonly entries: number;
  /** Different contents stored. */
  readonly contents: number;
  /** Header and root directory: the archive's first bytes. */
  readonly head: Uint8Array;
}

interface ArchiveWriter {
  /**
   * Append one gzipped tile. `hash` is its content hash where the caller has it already.
   * @throws RangeError when tile ids do not rise
   */
  add(tileId: number, tile: Uint8Array, hash?: Uint8Array): void;
  /** Write directories, metadata and header, and close the file. */
  finish(): ArchiveSummary;
  /** Close the file as it stands, after a failure. */
  abandon(): void;
}

const BUFFER_BYTES = 1 << 20;

/** Open an archive for writing; an existing file of the name is replaced. */
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
        throw new RangeError(`Tile ids must rise: ${tileId} came after ${lastId}.`);
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

/** The content hash that `add` knows tiles by: SHA-256 cut to 16 bytes. */
export function contentHash(tile: Uint8Array): Uint8Array {
  return createHash('sha256').update(tile).digest().subarray(0, HASH_BYTES);
}

/** Buffered appending to a file whose first `reserved` bytes are written at the end. */
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
