// Byte ranges of one archive: the header is in the manifest, directories are read once, tiles by
// range requests. Data that differs from the manifest is an error, never "no tile".

import { bytesToHeader, Compression, type Header, type RangeResponse, type Source } from 'pmtiles';
import type { Archive } from '../../../shared/chart/manifest.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { withinLimit } from '../runtime/time-limit.ts';

const HEADER_BYTES = 127;
/**
 * Leaf directories up to this total size are fetched in one request. Most archives are below it.
 */
const MAX_LEAVES_AT_ONCE = 2 * 1024 * 1024;

/** The archive does not match the manifest. */
export class BrokenArchive extends Error {}

/** Data of an archive that needs no request; shared by all requests of an isolate. */
export class ArchiveFile {
  readonly key: string;
  readonly archive: Archive;
  readonly head: Uint8Array;
  readonly leafOffset: number;
  readonly leafLength: number;
  /** All leaf directories, after a request has read them. */
  leaves: ArrayBuffer | undefined;

  /** @throws BrokenArchive if the header in the manifest cannot belong to this archive */
  constructor(key: string, archive: Archive) {
    this.key = key;
    this.archive = archive;
    this.head = Uint8Array.from(atob(archive.head), (letter) => letter.charCodeAt(0));
    const header = bytesToHeader(this.head.slice(0, HEADER_BYTES).buffer as ArrayBuffer);
    checkHeader(key, header, archive, this.head.length);
    this.leafOffset = header.leafDirectoryOffset;
    this.leafLength = header.leafDirectoryLength ?? 0;
  }

  /** Discards cached data, here and in the edge cache, after it proved damaged. */
  forget(cost: RequestCost): void {
    this.leaves = undefined;
    cost.defer(caches.default.delete(edgeKeyOf(this.key)).catch(() => undefined));
  }
}

const edgeKeyOf = (key: string) => `https://charts.invalid/leaves/${key}`;

/**
 * Checks the header, which alone decides which tiles exist and is not covered by a checksum. Each
 * number that could hide a tile is compared with a second source of the same fact.
 */
function checkHeader(key: string, header: Header, archive: Archive, headBytes: number): void {
  const ends = (offset: number, length: number | undefined) => offset + (length ?? 0);
  const isSound =
    header.specVersion === 3 &&
    header.clustered &&
    header.internalCompression === Compression.Gzip &&
    header.tileCompression === Compression.Gzip &&
    header.minZoom === archive.minZoom &&
    header.maxZoom === archive.maxZoom &&
    header.numAddressedTiles === archive.tiles &&
    ends(header.rootDirectoryOffset, header.rootDirectoryLength) === headBytes &&
    header.rootDirectoryOffset === HEADER_BYTES &&
    ends(header.leafDirectoryOffset, header.leafDirectoryLength) <= archive.bytes &&
    ends(header.tileDataOffset, header.tileDataLength) <= archive.bytes;
  if (!isSound) throw new BrokenArchive(`${key}: its head contradicts the manifest`);
}

/** An archive as used by one request; counts the reads of that request. */
export class ArchiveSource implements Source {
  readonly #bucket: R2Bucket;
  readonly #file: ArchiveFile;
  readonly #cost: RequestCost;

  constructor(bucket: R2Bucket, file: ArchiveFile, cost: RequestCost) {
    this.#bucket = bucket;
    this.#file = file;
    this.#cost = cost;
  }

  getKey(): string {
    return this.#file.key;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const { head, leafOffset, leafLength } = this.#file;
    if (offset + length <= head.length || offset === 0) {
      return { data: head.slice(offset, offset + length).buffer as ArrayBuffer };
    }
    const isLeaf = offset >= leafOffset && offset + length <= leafOffset + leafLength;
    if (isLeaf && leafLength <= MAX_LEAVES_AT_ONCE) {
      // Share the bytes, not the promise: a request must not wait for the I/O of another.
      this.#file.leaves ??= await this.#leaves();
      const start = offset - leafOffset;
      return { data: this.#file.leaves.slice(start, start + length) };
    }
    return { data: await this.#read(offset, length) };
  }

  /**
   * Reads from the edge cache if another isolate has stored the bytes. They are checked when
   * decompressed.
   */
  async #leaves(): Promise<ArrayBuffer> {
    const { key, leafOffset, leafLength } = this.#file;
    const edgeKey = edgeKeyOf(key);
    const hit = await caches.default.match(edgeKey).catch(() => undefined);
    const known = await hit?.arrayBuffer();
    if (known?.byteLength === leafLength) return known;
    const read = await this.#read(leafOffset, leafLength);
    const headers = { 'cache-control': 'public, max-age=86400' };
    this.#cost.defer(
      caches.default.put(edgeKey, new Response(read, { headers })).catch(() => undefined),
    );
    return read;
  }

  async #read(offset: number, length: number): Promise<ArrayBuffer> {
    const { key, archive } = this.#file;
    this.#cost.bucketReads++;
    const object = await withinLimit(this.#bucket.get(key, { range: { offset, length } }));
    if (object === null) throw new BrokenArchive(`${key} is missing`);
    if (object.size !== archive.bytes) {
      throw new BrokenArchive(`${key} has ${object.size} bytes, not ${archive.bytes}`);
    }
    const data = await withinLimit(object.arrayBuffer());
    if (data.byteLength !== length) {
      throw new BrokenArchive(`${key} gave ${data.byteLength} bytes, not ${length}`);
    }
    return data;
  }
}
