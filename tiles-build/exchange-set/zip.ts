// Reads files and the entries of a zip within limits: a small archive must not unpack to more than
// charts can contain.

import { readFile, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, open, type ZipFile } from 'yauzl';

/** Maximum size of a cell file. The ENC product specification allows 5 MB; real files are below 20 MB. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
/** Maximum size of all entries of a zip: charts are compressed to a third, texts to a tenth. */
const MAX_EXPANSION = 100;

/**
 * Bytes of a cell's file.
 * @throws Error if it cannot be read or is too large for a cell
 */
export async function readCellFile(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > MAX_ENTRY_BYTES) throw new Error(tooLarge(path, size));
  return new Uint8Array(await readFile(path));
}

/**
 * Names of all files in a zip. Of entries with the same name, the first is used.
 * @param count called for each entry, also for those with a repeated name. May throw to stop
 * @throws Error if it is damaged, has too many entries, or unpacks to far more bytes than it has; errors of `count`
 */
export async function listZip(path: string, count = (): void => undefined): Promise<string[]> {
  const checkExpansion = await expansionLimit(path);
  const entries = await listEntries(path, (entry) => {
    count();
    checkExpansion(entry);
  });
  return [...entries.keys()].filter((name) => !name.endsWith('/'));
}

/** @returns a function that throws if the entries so far unpack to far more bytes than the zip has */
async function expansionLimit(path: string): Promise<(entry: Entry) => void> {
  const { size } = await stat(path);
  const maximum = MAX_ENTRY_BYTES + MAX_EXPANSION * size;
  let bytes = 0;
  return ({ uncompressedSize }) => {
    bytes += uncompressedSize;
    if (bytes > maximum) throw new Error(`it unpacks to more than ${maximum} bytes`);
  };
}

/**
 * Bytes of one entry, the first of its name.
 * @throws Error if it is missing, damaged or too large for a cell
 */
export async function readZipEntry(path: string, name: string): Promise<Uint8Array> {
  const entry = (await entriesOf(path)).get(name);
  if (entry === undefined) throw new Error(`${name} is not in ${path}`);
  if (entry.uncompressedSize > MAX_ENTRY_BYTES)
    throw new Error(tooLarge(name, entry.uncompressedSize));
  const zip = await openZip(path);
  try {
    return await inflate(zip, entry);
  } finally {
    zip.close();
  }
}

/**
 * Bytes of the only file of a zip in memory. Its name is ignored.
 * @throws Error if the zip is damaged, holds another number of files, or its file is too large for a cell
 */
export function unzipSingle(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, zip) => {
      if (error !== null || zip === undefined) {
        fail(error ?? new Error('cannot be opened'));
        return;
      }
      zip.on('error', fail);
      zip.on('entry', (entry: Entry) => {
        if (zip.entryCount !== 1) fail(new Error(`${zip.entryCount} files instead of one`));
        else if (entry.uncompressedSize > MAX_ENTRY_BYTES) fail(new Error('the file is too large'));
        else inflate(zip, entry).then(done, fail);
      });
      if (zip.entryCount === 0) fail(new Error('no files'));
      else zip.readEntry();
    });
  });
}

interface Listing {
  /** Attributes of the file at the time when its entries were listed. */
  readonly version: string;
  readonly entries: Promise<ReadonlyMap<string, Entry>>;
  /** 0 until they are listed. */
  count: number;
}

/**
 * The entry lists of zips by path; those that were read last are at the end. The delivery of a nation is one zip that
 * is read entry by entry, and the files of a cell can be in the zips of many weeks: without the lists each entry would
 * be searched among all others.
 */
const listings = new Map<string, Listing>();
const MAX_LISTED = 2 * MAX_ENTRIES;

async function entriesOf(path: string): Promise<ReadonlyMap<string, Entry>> {
  const { size, mtimeMs, ino } = await stat(path);
  const version = `${size} ${mtimeMs} ${ino}`;
  const known = listings.get(path);
  const listing =
    known?.version === version ? known : { version, entries: listEntries(path), count: 0 };
  listings.delete(path);
  listings.set(path, listing);
  const entries = await listing.entries;
  if (listing.count === 0) {
    listing.count = entries.size;
    dropListings();
  }
  return entries;
}

/** Drops the lists that were not read for longest until the rest has the maximum number of entries. */
function dropListings(): void {
  let total = [...listings.values()].reduce((sum, { count }) => sum + count, 0);
  for (const [path, { count }] of listings) {
    if (total <= MAX_LISTED) return;
    listings.delete(path);
    total -= count;
  }
}

const NO_BYTES = Buffer.alloc(0);
/** Parts of an entry that no reader needs. They would double the memory of a list. */
const UNUSED = {
  ...{ fileNameRaw: NO_BYTES, extraFieldRaw: NO_BYTES, fileCommentRaw: NO_BYTES },
  ...{ fileComment: '', comment: '', extraFields: [] },
};

/** @param visit may throw to stop */
async function listEntries(
  path: string,
  visit: (entry: Entry) => void = () => undefined,
): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let count = 0;
  await walk(path, (entry) => {
    if (++count > MAX_ENTRIES) throw new Error(`more than ${MAX_ENTRIES} entries`);
    visit(entry);
    if (!entries.has(entry.fileName)) entries.set(entry.fileName, Object.assign(entry, UNUSED));
  });
  return entries;
}

/** A zip that the caller must close. */
function openZip(path: string): Promise<ZipFile> {
  return new Promise((done, fail) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error !== null || zip === undefined) fail(error ?? new Error('cannot be opened'));
      // Errors of an entry are reported by its stream.
      else done(zip.on('error', () => undefined));
    });
  });
}

/**
 * Visits every file of a zip with its bytes, in one pass.
 * @throws Error if an entry is damaged, too large, or its name is a path outside of the zip, or if the zip unpacks
 *   to far more bytes than it has
 */
export async function readEveryEntry(
  path: string,
  visit: (name: string, bytes: Uint8Array) => void,
): Promise<void> {
  let entries = 0;
  const checkExpansion = await expansionLimit(path);
  await walk(path, async (entry, zip) => {
    if (++entries > MAX_ENTRIES) throw new Error(`more than ${MAX_ENTRIES} entries`);
    if (entry.uncompressedSize > MAX_ENTRY_BYTES)
      throw new Error(tooLarge(entry.fileName, entry.uncompressedSize));
    checkExpansion(entry);
    if (!entry.fileName.endsWith('/')) visit(entry.fileName, await inflate(zip, entry));
  });
}

const tooLarge = (name: string, bytes: number): string =>
  `${name} has ${bytes} bytes; the maximum of a cell file is ${MAX_ENTRY_BYTES}`;

function inflate(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    if (entry.isEncrypted()) return fail(new Error('the zip has a password; make one without'));
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null || stream === undefined) {
        fail(error ?? new Error('no stream'));
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ENTRY_BYTES) stream.destroy(new Error('larger than it says'));
        else chunks.push(chunk);
      });
      stream.on('error', fail);
      stream.on('end', () => {
        const bytes = new Uint8Array(Buffer.concat(chunks));
        // The zip library compares only lengths.
        if (crc32(bytes) === entry.crc32) done(bytes);
        else fail(new Error(`${entry.fileName} is damaged: its CRC-32 is wrong`));
      });
    });
  });
}

/** Visits entries in order. */
function walk(
  path: string,
  visit: (entry: Entry, zip: ZipFile) => void | Promise<void>,
): Promise<void> {
  return new Promise((done, fail) => {
    open(path, { lazyEntries: true, autoClose: true }, (error, zip) => {
      if (error !== null || zip === undefined) {
        fail(error ?? new Error('cannot be opened'));
        return;
      }
      zip.on('error', fail);
      zip.on('end', () => done());
      zip.on('entry', (entry: Entry) => {
        Promise.resolve()
          .then(() => visit(entry, zip))
          .then(() => zip.readEntry())
          .catch((reason: unknown) => {
            zip.close();
            fail(reason);
          });
      });
      zip.readEntry();
    });
  });
}
