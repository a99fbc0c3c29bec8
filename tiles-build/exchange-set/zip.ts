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
 * @param maxEntries maximum number of entries, each repeated name counted too
 * @throws Error if it is damaged, has too many entries, or unpacks to far more bytes than it has
 */
export async function listZip(path: string, maxEntries = MAX_ENTRIES): Promise<string[]> {
  const entries = await listEntries(path, await expansionLimit(path), maxEntries);
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
  readonly path: string;
  /** Attributes of the file at the time when its entries were listed. */
  readonly version: string;
  readonly entries: Promise<ReadonlyMap<string, Entry>>;
}

/**
 * The entry lists of the zips that were read last. The delivery of a nation is one zip that is read
 * entry by entry; without the list each entry would be searched among all others.
 */
const listings: Listing[] = [];
const MAX_LISTINGS = 2;

async function entriesOf(path: string): Promise<ReadonlyMap<string, Entry>> {
  const { size, mtimeMs, ino } = await stat(path);
  const version = `${size} ${mtimeMs} ${ino}`;
  const known = listings.find((listing) => listing.path === path && listing.version === version);
  if (known !== undefined) return known.entries;
  const listing = { path, version, entries: listEntries(path) };
  listings.unshift(listing);
  listings.length = Math.min(listings.length, MAX_LISTINGS);
  return listing.entries;
}

/** @param visit may throw to stop */
async function listEntries(
  path: string,
  visit: (entry: Entry) => void = () => undefined,
  maxEntries = MAX_ENTRIES,
): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let count = 0;
  await walk(path, (entry) => {
    if (++count > maxEntries) throw new Error(`more than ${maxEntries} entries`);
    visit(entry);
    if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
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
