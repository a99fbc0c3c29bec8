// Cache of decompressed archive directories with one limit for all archives. An entry needs fifty
// times its compressed size, so the leaf directories of a country's charts would fill an isolate.

import { type Entry, type Header, ResolvedValueCache, type Source } from 'pmtiles';
import { gunzip } from '../runtime/gzip.ts';
import { boundedCache } from '../runtime/memory-budget.ts';

const BYTES_AN_ENTRY = 100;
const DIRECTORY_BYTES = 300;
/** The header and the last directory read; all others are in the bounded cache. */
const KEPT_BY_LIBRARY = 2;
/** As in the header of an archive. */
const GZIP = 2;

/** Cache: directories of all opened archives. */
const known = boundedCache<readonly Entry[]>('directories', {
  sizeOf: ({ length }) => DIRECTORY_BYTES + length * BYTES_AN_ENTRY,
});
let opened = 0;

/** Directories of one archive, until it proves damaged. */
export class Directories extends ResolvedValueCache {
  readonly #number = opened++;

  constructor() {
    super(KEPT_BY_LIBRARY, undefined, unpack);
  }

  /** Returns synchronously if the directory is in memory. */
  held(offset: number): readonly Entry[] | undefined {
    return known.get(this.#keyOf(offset));
  }

  override async getDirectory(
    source: Source,
    offset: number,
    length: number,
    header: Header,
  ): Promise<Entry[]> {
    const held = this.held(offset);
    if (held !== undefined) return held as Entry[];
    const entries = await super.getDirectory(source, offset, length, header);
    known.set(this.#keyOf(offset), entries);
    return entries;
  }

  #keyOf(offset: number): string {
    return `${this.#number}@${offset}`;
  }
}

async function unpack(bytes: ArrayBuffer, compression: number): Promise<ArrayBuffer> {
  if (compression !== GZIP) return bytes;
  return (await gunzip(bytes)).slice().buffer as ArrayBuffer;
}
