// What CATALOG.031, the list of an exchange set, says of the files of cells beside and below it: their
// CRC-32 (S-57 Part 3, clause 7.2.2, field CATD, subfield CRCS), and which of them there are.

import { crc32 } from 'node:zlib';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { readCatalog } from '../../shared/s57/read/read-catalog.ts';
import type { CellFileSource } from './exchange-set.ts';

/** The list of an exchange set as found, not read yet. */
export interface FoundCatalog {
  /** Begins the origin of every file that lies beside or below it. */
  readonly prefix: string;
  /** For messages. */
  readonly origin: string;
  readonly read: () => Promise<Uint8Array>;
}

/** The list of an exchange set is called so; it has the form of a cell's name. */
export const CATALOG_FILE = /^CATALOG\.\d{3}$/;

/**
 * The same files with the checksums that lists have of them. A listed file that is not there is named
 * where others of its cell are: without its last update a cell looks whole.
 */
export async function withListedSums(
  found: readonly CellFileSource[],
  catalogs: readonly FoundCatalog[],
  problems: Problem[],
): Promise<CellFileSource[]> {
  const sums = new Map<CellFileSource, number>();
  // A nation may come as thousands of sets, each with its own list.
  const inOrder = [...found].sort((a, b) => (a.origin < b.origin ? -1 : 1));
  for (const catalog of catalogs) {
    const below = filesBelow(catalog.prefix, inOrder);
    for (const { path, crc32: sum } of readCatalog(await bytesOf(catalog, problems))) {
      const name = path.slice(path.lastIndexOf('/') + 1).toUpperCase();
      const files = below.byName.get(name) ?? [];
      // Sets are unpacked into folders of all shapes: the path decides only between two of one name.
      const there = files.length === 1 ? files : files.filter((file) => endsWithPath(file, path));
      for (const file of there) if (sum !== undefined) sums.set(file, sum);
      if (files.length === 0 && below.cells.has(cellOf(name))) {
        problems.push(missingFile(name, catalog.origin));
      }
    }
  }
  return found.map((file) => {
    const sum = sums.get(file);
    return sum === undefined ? file : { ...file, crc32: sum };
  });
}

/** What is doubtful about bytes of another checksum than is listed; undefined where they agree. */
export function doubtAbout(bytes: Uint8Array, listed: number | undefined): string | undefined {
  if (listed === undefined || crc32(bytes) === listed) return undefined;
  return (
    `its CRC-32 is ${hexadecimal(crc32(bytes))}, and CATALOG.031 says ${hexadecimal(listed)}: ` +
    'it was damaged or changed, or the list is of another delivery'
  );
}

const hexadecimal = (sum: number): string => sum.toString(16).toUpperCase().padStart(8, '0');

const cellOf = (name: string): string => name.slice(0, -'.000'.length);

/** A list that cannot be read says nothing, and its files are believed as those without a list are. */
async function bytesOf({ origin, read }: FoundCatalog, problems: Problem[]): Promise<Uint8Array> {
  try {
    return await read();
  } catch (error) {
    const message = `${origin} cannot be read, so no file is compared with it: ${(error as Error).message}`;
    problems.push({ code: 'unreadable-list', message, severity: 'warning' });
    return new Uint8Array(0);
  }
}

/** @param inOrder by their origins */
function filesBelow(prefix: string, inOrder: readonly CellFileSource[]) {
  let [from, to] = [0, inOrder.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (inOrder[middle]!.origin < prefix) from = middle + 1;
    else to = middle;
  }
  const byName = new Map<string, CellFileSource[]>();
  const cells = new Set<string>();
  for (let i = from; inOrder[i]?.origin.startsWith(prefix); i++) {
    const file = inOrder[i]!;
    byName.set(file.name, [...(byName.get(file.name) ?? []), file]);
    cells.add(cellOf(file.name));
  }
  return { byName, cells };
}

function endsWithPath({ origin }: CellFileSource, path: string): boolean {
  const [own, listed] = [origin.replaceAll('\\', '/').toUpperCase(), path.toUpperCase()];
  return own.endsWith(`/${listed}`) || own.endsWith(`:${listed}`);
}

function missingFile(name: string, origin: string): Problem {
  const message = `${origin} lists ${name}, which is not there: its cell may be older than was delivered`;
  return { code: 'listed-file-missing', message, file: name, severity: 'warning' };
}
