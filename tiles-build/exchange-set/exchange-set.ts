// Finds cells in files, folders, exchange sets and zips, and which files belong to which cell. The
// files of a cell are read only on request, so that the delivery of a nation does not fill the
// memory.

import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { withoutCopySuffix } from '../../shared/contract/copied-file.ts';
import { systemErrorText } from '../../shared/contract/system-error.ts';
import { pushTo } from '../../shared/geo/map-entries.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { CellFile, CellFiles } from '../../shared/s57/read/cell-files.ts';
import type { CellFileSource, CellSource, FoundText, Unlock } from './cell-source.ts';
import { chooseFiles, type FoundFiles } from './choose-files.ts';
import {
  badChecksum,
  CATALOG_FILE,
  CELL_FILE,
  type FoundCatalog,
  withListedSums,
} from './listed-sums.ts';
import { listZip, readCellFile, readZipEntry } from './zip.ts';

interface FindOptions {
  readonly acceptBadChecksums?: boolean | undefined;
  readonly unlock?: Unlock | undefined;
  /** Maximum number of files that are used or reported, and of all files in zips; without it, all are found. */
  readonly maxFiles?: number | undefined;
}

/** The paths have more files than the maximum. */
export class TooManyFiles extends Error {}

/**
 * Every cell below the given paths, by name in capitals, because some systems deliver names in
 * small letters. If a name is found several times, the newest edition with its updates is used;
 * `problems` names the others.
 * @param options `acceptBadChecksums`: use files whose CRC-32 differs from CATALOG.031; `unlock` decrypts files
 * @throws TooManyFiles; Error if a path does not exist
 */
export async function findCells(
  paths: readonly string[],
  options: FindOptions = {},
): Promise<{ cells: CellSource[]; problems: Problem[] }> {
  const found = nothingFound(options.maxFiles);
  for (const path of paths) await collect(path, found, new Set());
  return { cells: await cellsOf(found, options), problems: found.problems };
}

/** The cells of found files, as `findCells` returns them. Adds to the problems of `found`. */
export async function cellsOf(
  found: Found,
  { acceptBadChecksums = false, unlock }: FindOptions = {},
): Promise<CellSource[]> {
  const { problems } = found;
  const byName = new Map<string, FoundFiles>();
  const listed = await withListedSums(found.files, found.catalogs, problems);
  const unlocked = (await unlock?.(listed, found.texts)) ?? { files: listed, problems: [] };
  for (const problem of unlocked.problems) problems.push(problem);
  const encrypted = 'cells' in unlocked ? unlocked.cells : new Map<string, never>();
  // A cell is listed even if all its files were refused.
  for (const name of encrypted.keys()) byName.set(name, { bases: [], updates: new Map() });
  for (const file of unlocked.files) {
    const [, name, ending] = CELL_FILE.exec(file.name)!;
    const files: FoundFiles = byName.get(name!) ?? { bases: [], updates: new Map() };
    byName.set(name!, files);
    if (ending === '000') files.bases.push(file);
    else pushTo(files.updates, ending!, file);
  }
  const cells: CellSource[] = [];
  for (const [name, files] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const chosen = await chooseFiles(name, files, problems, acceptBadChecksums);
    const encryptedFiles = encrypted.get(name);
    cells.push({
      ...chosen,
      ...(acceptBadChecksums && { acceptBadChecksums }),
      ...(encryptedFiles !== undefined && { encrypted: encryptedFiles }),
    });
  }
  return cells;
}

type ReadableFile = Pick<CellFileSource, 'name' | 'crc32s' | 'read'>;

/**
 * The bytes of a file, or why they cannot be read: one unreadable file must not affect the others.
 */
async function readOrReason({ name, crc32s, read }: ReadableFile): Promise<CellFile> {
  try {
    const bytes = await read();
    const bad = badChecksum(bytes, crc32s);
    return { name, bytes, ...(bad !== undefined && { badChecksum: bad }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, bytes: new Uint8Array(0), unreadable: reason };
  }
}

/** Reads the files of a cell. */
export async function loadCell(source: CellSource): Promise<CellFiles> {
  return {
    name: source.name,
    ...(source.acceptBadChecksums === true && { acceptBadChecksums: true }),
    ...(await readFilesOf(source)),
  };
}

/** Maximum size of all files of a cell, which are in memory together. */
const MAX_CELL_BYTES = 64 * 1024 * 1024;

/** Reads the files of a cell, the base first. Files beyond the maximum size of a cell are unreadable. */
export async function readFilesOf({
  base,
  updates,
}: {
  readonly base?: ReadableFile;
  readonly updates: readonly ReadableFile[];
}): Promise<Pick<CellFiles, 'base' | 'updates'>> {
  let total = 0;
  const readNext = async (file: ReadableFile): Promise<CellFile> => {
    const read = await readOrReason(file);
    if (total + read.bytes.length > MAX_CELL_BYTES) {
      const unreadable = `the files of the cell have more than ${MAX_CELL_BYTES} bytes`;
      return { name: file.name, bytes: new Uint8Array(0), unreadable };
    }
    total += read.bytes.length;
    return read;
  };
  const first = base && (await readNext(base));
  const others: CellFile[] = [];
  for (const update of updates) others.push(await readNext(update));
  return { updates: others, ...(first !== undefined && { base: first }) };
}

/** The files below the paths, as they are collected. */
export interface Found {
  readonly files: CellFileSource[];
  readonly texts: FoundText[];
  readonly catalogs: FoundCatalog[];
  readonly problems: Problem[];
  readonly maxFiles: number;
  /** Numbers that grow. */
  readonly counts: { zipEntries: number };
}

export const nothingFound = (maxFiles = Number.POSITIVE_INFINITY): Found => ({
  ...{ files: [], texts: [], catalogs: [], problems: [] },
  ...{ maxFiles, counts: { zipEntries: 0 } },
});

/** @param above the folders that contain the path, with links resolved */
async function collect(path: string, found: Found, above: ReadonlySet<string>): Promise<void> {
  const info = await stat(path);
  if (info.isDirectory()) await collectFolder(path, await realpath(path), found, above);
  else if (info.isFile()) await collectFile(path, found);
}

/**
 * The kinds of entries are read with their names, because a nation has many thousands.
 * @param folder the path with links resolved
 */
async function collectFolder(
  path: string,
  folder: string,
  found: Found,
  above: ReadonlySet<string>,
): Promise<void> {
  // A link to a folder that contains it adds nothing and would never end.
  if (above.has(folder)) return;
  const within = new Set([...above, folder]);
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = join(path, entry.name);
    try {
      if (entry.isFile()) await collectFile(below, found);
      else if (entry.isDirectory()) {
        await collectFolder(below, join(folder, entry.name), found, within);
      } else await collect(below, found, within);
    } catch (error) {
      if (error instanceof TooManyFiles) throw error;
      found.problems.push(unreadablePath(below, error));
    }
  }
}

async function collectFile(path: string, found: Found): Promise<void> {
  const name = basename(path).toUpperCase();
  if (isZip(name)) await collectZip(path, found);
  else addFile({ name, origin: path, read: () => readCellFile(path) }, found);
}

/** Continues with the other files after a broken link or a folder without read permission. */
function unreadablePath(path: string, error: unknown): Problem {
  const message = `${path} cannot be read. ${systemErrorText(error) ?? error}`;
  return { code: 'unreadable-path', message, file: basename(path), severity: 'error' };
}

/** Texts of encrypted deliveries (S-63, clause 7.3). */
const DELIVERY_TEXT = /^(?:SERIAL\.ENC|PRODUCTS\.TXT|STATUS\.LST|MEDIA\.TXT)$/;

/** Adds a file if it is of a cell, a list, or a text of a delivery. @throws TooManyFiles */
export function addFile(file: CellFileSource, found: Found): void {
  const { files, texts, catalogs, problems, maxFiles } = found;
  if (CATALOG_FILE.test(file.name)) {
    const { name, origin, read } = file;
    catalogs.push({ prefix: origin.slice(0, origin.length - name.length), origin, read });
  } else if (CELL_FILE.test(file.name)) files.push(file);
  else if (DELIVERY_TEXT.test(file.name)) texts.push(file);
  else if (CELL_FILE.test(withoutCopySuffix(file.name)) || isStrangeName(file.name)) {
    problems.push(unknownName(file));
  }
  // Problems need memory too.
  const count = files.length + texts.length + catalogs.length + problems.length;
  if (count > maxFiles) throw tooMany(found);
}

/** Zips made on a Mac contain files with `._`. */
const hasEnding = (name: string, ending: string) => name.endsWith(ending) && !name.startsWith('._');
const isZip = (name: string): boolean => hasEnding(name, '.ZIP');
/** Whether a base has characters in its name that no cell has. */
const isStrangeName = (name: string): boolean => hasEnding(name, '.000');

const tooMany = ({ maxFiles }: Found) => new TooManyFiles(`more than ${maxFiles} files`);

async function collectZip(path: string, found: Found): Promise<void> {
  try {
    // Listing entries takes time, even if they are not used.
    const countEntry = () => {
      if (++found.counts.zipEntries > found.maxFiles) throw tooMany(found);
    };
    for (const entry of await listZip(path, countEntry)) {
      const name = basename(entry).toUpperCase();
      if (isZip(name)) found.problems.push(nestedZip(path, entry));
      addFile({ name, origin: `${path}:${entry}`, read: () => readZipEntry(path, entry) }, found);
    }
  } catch (error) {
    if (error instanceof TooManyFiles) throw error;
    const reason = error instanceof Error ? ` (${error.message.replace(/\.$/, '')})` : '';
    const advice = reason.startsWith(' (absolute path')
      ? 'Make it again with relative paths'
      : 'It may be damaged or incomplete: download it again';
    const damage = `${advice}${reason}.`;
    found.problems.push({
      code: 'unreadable-zip',
      message: `${path} cannot be read as a zip. ${systemErrorText(error) ?? damage}`,
      file: basename(path),
      severity: 'error',
    });
  }
}

function unknownName({ name, origin }: CellFileSource): Problem {
  const named = withoutCopySuffix(name);
  const right = CELL_FILE.test(named)
    ? named
    : 'the name of its cell, which has only letters, digits and `_`,';
  const message = `${origin} is ignored. Rename it to ${right} if the cell should be used`;
  return { code: 'unknown-name', message, file: name, severity: 'warning' };
}

function nestedZip(path: string, entry: string): Problem {
  const message = `${path} holds another zip, ${entry}, whose cells are not used: unpack ${path} first`;
  return { code: 'nested-zip', message, file: basename(entry), severity: 'error' };
}
