// Reads CATALOG.031, the list of an exchange set: which files of cells are in its folder and below,
// and their CRC-32 (S-57 Part 3, clause 7.2.2, field CATD, subfield CRCS).

import { crc32 } from 'node:zlib';
import { pushTo } from '../../shared/geo/map-entries.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { type CatalogFile, readCatalog } from '../../shared/s57/read/read-catalog.ts';
import type { CellFileSource } from './cell-source.ts';

/** The list of an exchange set, before it is read. */
export interface FoundCatalog {
  /** The common prefix of the origins of all files in the folder of the list and below. */
  readonly prefix: string;
  /** For messages. */
  readonly origin: string;
  readonly read: () => Promise<Uint8Array>;
}

/**
 * Names of data sets have eight characters; the extension is the update number, 000 is the base.
 */
export const CELL_FILE = /^([A-Z0-9_]{1,32})\.(\d{3})$/;

/** ISO 9660 has 8 levels of folders. Each number of levels that a list has needs an index of all files. */
const MAX_LEVELS = 16;

/** The name of the list, which has the form of a cell's name. */
export const CATALOG_FILE = /^CATALOG\.\d{3}$/;

/**
 * The start of a path in a volume of a set: the place of the volumes, and their number (S-57 Appendix B.1,
 * clause 5.4.3). Volumes are folders or zips. One of them has the list of all.
 */
const VOLUME = /^(.*?[\\/:])?V\d\d(X\d\d)(?:[\\/]|\.ZIP:)/i;

/**
 * The same files with the data from lists: checksums and box. A file in several lists has the
 * checksums of all, because a later delivery may replace the file and leave the old list in place.
 * `problems` reports unreadable lists, listed updates that are absent, and listed cells that are
 * absent.
 */
export async function withListedSums(
  found: readonly CellFileSource[],
  catalogs: readonly FoundCatalog[],
  problems: Problem[],
): Promise<CellFileSource[]> {
  const listed = new Map<CellFileSource, CatalogFile[]>();
  // The delivery of a nation may consist of thousands of sets, each with its own list.
  const inOrder = [...found].sort((a, b) => (a.origin < b.origin ? -1 : 1));
  const volumesWithout = volumesWithoutList(inOrder, catalogs);
  for (const catalog of catalogs) {
    const below = filesBelow([catalog.prefix, ...volumesWithout(catalog)], inOrder);
    const absent: string[] = [];
    for (const entry of await filesOf(catalog, problems)) {
      const name = entry.path.slice(entry.path.lastIndexOf('/') + 1).toUpperCase();
      const files = below.byName.get(name) ?? [];
      // Sets are unpacked into folders of any structure, so the path only decides between files of
      // equal name.
      const there = files.length === 1 ? files : below.endingWith(entry.path);
      for (const file of there) pushTo(listed, file, entry);
      if (files.length > 0 || !CELL_FILE.test(name) || CATALOG_FILE.test(name)) continue;
      if (below.cells.has(cellOf(name))) problems.push(missingFile(name, catalog.origin));
      else if (name.endsWith('.000')) absent.push(cellOf(name));
    }
    if (absent.length > 0) problems.push(missingCells(absent, catalog.origin));
  }
  return found.map((file) => withEntries(file, listed.get(file) ?? []));
}

function withEntries(file: CellFileSource, entries: readonly CatalogFile[]): CellFileSource {
  const crc32s = entries.flatMap(({ crc32: sum }) => (sum === undefined ? [] : [sum]));
  const bounds = entries.find((entry) => entry.bounds !== undefined)?.bounds;
  return {
    ...file,
    ...(crc32s.length > 0 && { crc32s }),
    ...(bounds !== undefined && { listedBounds: bounds }),
  };
}

/**
 * Why bytes differ from a list; `undefined` if their checksum is listed, or the file has no listed
 * checksum.
 */
export function badChecksum(
  bytes: Uint8Array,
  listed: readonly number[] | undefined,
): string | undefined {
  if (listed === undefined || listed.includes(crc32(bytes))) return undefined;
  return (
    `its CRC-32 is ${hexadecimal(crc32(bytes))}, and CATALOG.031 lists ${listed.map(hexadecimal).join(' and ')}: ` +
    'the file is damaged or changed, or the list is of another delivery'
  );
}

const hexadecimal = (sum: number): string => sum.toString(16).toUpperCase().padStart(8, '0');

const cellOf = (name: string): string => name.slice(0, -'.000'.length);

/** If a list cannot be read, its files are used like files without a list. */
async function filesOf(
  { origin, read }: FoundCatalog,
  problems: Problem[],
): Promise<readonly CatalogFile[]> {
  const warn = (reason: string) =>
    problems.push({
      code: 'unreadable-list',
      message: `${origin} cannot be read whole, so not every file is compared with its checksum: ${reason}`,
      severity: 'warning',
    });
  try {
    const { files, problems: damage } = readCatalog(await read());
    if (damage[0] !== undefined) warn(damage[0].message);
    return files;
  } catch (error) {
    warn((error as Error).message);
    return [];
  }
}

/** @returns a function for the prefixes of the volumes that have no list, and whose set has the given one */
function volumesWithoutList(
  files: readonly CellFileSource[],
  catalogs: readonly FoundCatalog[],
): (catalog: FoundCatalog) => readonly string[] {
  const volumeOf = ({ origin }: { readonly origin: string }) => {
    const [prefix, place = '', count = ''] = VOLUME.exec(origin) ?? [];
    return prefix === undefined ? undefined : { prefix, set: place + count.toUpperCase() };
  };
  const listed = new Set(catalogs.map((catalog) => volumeOf(catalog)?.prefix));
  const bySet = new Map<string, Set<string>>();
  for (const file of files) {
    const volume = volumeOf(file);
    if (volume === undefined || listed.has(volume.prefix)) continue;
    bySet.set(volume.set, (bySet.get(volume.set) ?? new Set()).add(volume.prefix));
  }
  return (catalog) => [...(bySet.get(volumeOf(catalog)?.set ?? '') ?? [])];
}

/** @param inOrder sorted by origin */
function filesBelow(prefixes: readonly string[], inOrder: readonly CellFileSource[]) {
  const byName = new Map<string, CellFileSource[]>();
  const cells = new Set<string>();
  for (const prefix of prefixes) {
    let [from, to] = [0, inOrder.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (inOrder[middle]!.origin < prefix) from = middle + 1;
      else to = middle;
    }
    for (let i = from; inOrder[i]?.origin.startsWith(prefix); i++) {
      const file = inOrder[i]!;
      pushTo(byName, file.name, file);
      cells.add(cellOf(file.name));
    }
  }
  /** Files by the last parts of their paths, for each number of parts that a list has. */
  const byEnding = new Map<number, Map<string, CellFileSource[]>>();
  const endingWith = (path: string): readonly CellFileSource[] => {
    const parts = path.toUpperCase().split('/');
    if (parts.length > MAX_LEVELS) return [];
    const known = byEnding.get(parts.length);
    const byPath = known ?? new Map<string, CellFileSource[]>();
    if (known === undefined) {
      byEnding.set(parts.length, byPath);
      for (const file of [...byName.values()].flat()) {
        pushTo(byPath, partsOf(file).slice(-parts.length).join('/'), file);
      }
    }
    return byPath.get(parts.join('/')) ?? [];
  };
  return { byName, cells, endingWith };
}

/** A zip is separated from its entry by a colon. */
const partsOf = ({ origin }: CellFileSource): readonly string[] =>
  origin.toUpperCase().split(/[\\/:]/);

function missingFile(name: string, origin: string): Problem {
  const message = `${origin} lists ${name}, which is not there: its cell may be older than was delivered`;
  return { code: 'listed-file-missing', message, file: name, severity: 'warning' };
}

/** Maximum number of absent cells in a message. */
const NAMED_CELLS = 10;

function missingCells(names: readonly string[], origin: string): Problem {
  const more = names.length > NAMED_CELLS ? ` and ${names.length - NAMED_CELLS} more` : '';
  const message = `${origin} lists cells that are not there: ${names.slice(0, NAMED_CELLS).join(', ')}${more}`;
  return { code: 'listed-cells-missing', message, severity: 'warning' };
}
