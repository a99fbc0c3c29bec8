// Byte ranges of one archive: its head out of the manifest, its directories read once, tiles by
// range requests. Anything that is not exactly what the manifest promised is a failure, never "no
// tile".

import { bytesToHeader, type RangeResponse, type Source } from 'pmtiles';
import type { Archive } from '../../shared/chart/manifest.ts';
import type { RequestCost } from '../http/request-cost.ts';

const HEADER_BYTES = 127;
/** Leaf directories are fetched all at once up to this size: of most archives, all of them. */
const MAX_LEAVES_AT_ONCE = 2 * 1024 * 1024;
/** A read that takes longer is given up, so that requests do not pile up behind a slow bucket. */
const READ_BUDGET_MS = 5000;

export class BrokenArchive extends Error {}

export class ArchiveSource implements Source {
  readonly #bucket: R2Bucket;
  readonly #key: string;
  readonly #archive: Archive;
  readonly #head: Uint8Array;
  readonly #leafOffset: number;
  readonly #leafLength: number;
  #leaves: ArrayBuffer | undefined;
  /** Counts for the request that is being served; set before each use. */
  cost: RequestCost | undefined;

  constructor(bucket: R2Bucket, key: string, archive: Archive) {
    this.#bucket = bucket;
    this.#key = key;
    this.#archive = archive;
    this.#head = Uint8Array.from(atob(archive.head), (letter) => letter.charCodeAt(0));
    const header = bytesToHeader(this.#head.slice(0, HEADER_BYTES).buffer as ArrayBuffer);
    this.#leafOffset = header.leafDirectoryOffset;
    this.#leafLength = header.leafDirectoryLength ?? 0;
  }

  getKey(): string {
    return this.#key;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    if (offset + length <= this.#head.length || offset === 0) {
      return { data: slice(this.#head, offset, length) };
    }
    const leafEnd = this.#leafOffset + this.#leafLength;
    const isLeaf = offset >= this.#leafOffset && offset + length <= leafEnd;
    if (isLeaf && this.#leafLength <= MAX_LEAVES_AT_ONCE) {
      this.#leaves ??= await this.#read(this.#leafOffset, this.#leafLength);
      const start = offset - this.#leafOffset;
      return { data: this.#leaves.slice(start, start + length) };
    }
    return { data: await this.#read(offset, length) };
  }

  async #read(offset: number, length: number): Promise<ArrayBuffer> {
    if (this.cost !== undefined) this.cost.bucketReads++;
    const object = await withinBudget(this.#bucket.get(this.#key, { range: { offset, length } }));
    if (object === null) throw new BrokenArchive(`${this.#key} is missing`);
    if (object.size !== this.#archive.bytes) {
      throw new BrokenArchive(`${this.#key} has ${object.size} bytes, not ${this.#archive.bytes}`);
    }
    const data = await withinBudget(object.arrayBuffer());
    if (data.byteLength !== length) {
      throw new BrokenArchive(`${this.#key} gave ${data.byteLength} bytes, not ${length}`);
    }
    return data;
  }
}

function slice(bytes: Uint8Array, offset: number, length: number): ArrayBuffer {
  return bytes.slice(offset, offset + length).buffer as ArrayBuffer;
}

async function withinBudget<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new BrokenArchive('the bucket is too slow')), READ_BUDGET_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
