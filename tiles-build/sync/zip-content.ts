// Checks a downloaded zip as the build reads it: every entry matches its checksum and CATALOG.031,
// and each cell can be read with its updates.

import { basename } from 'node:path';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { readCatalog } from '../../shared/s57/read/read-catalog.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import {
  addFile,
  cellsOf,
  type Found,
  loadCell,
  nothingFound,
} from '../exchange-set/exchange-set.ts';
import { CATALOG_FILE, CELL_FILE } from '../exchange-set/listed-sums.ts';
import { readEveryEntry } from '../exchange-set/zip.ts';
import type { CellVersion } from './catalogue.ts';

/** A zip that must not replace an existing one. */
export class ZipRefused extends Error {}

export interface ZippedCell {
  readonly name: string;
  /** `undefined` for a cancelled cell and for updates without their base. */
  readonly version: CellVersion | undefined;
  readonly hasBase: boolean;
}

/**
 * Read a whole zip. Of several exchange sets in it, the files that the build uses count.
 *
 * @param label the zip's name in messages
 * @param acceptBadChecksums accept files whose CRC-32 differs from CATALOG.031
 * @param keepsUnreadable return cells that cannot be read, without a version
 * @throws ZipRefused with the reason
 */
export async function readZipContent(
  path: string,
  label: string,
  acceptBadChecksums = false,
  keepsUnreadable = false,
): Promise<readonly ZippedCell[]> {
  const found = nothingFound();
  try {
    await readEveryEntry(path, (entry, bytes) =>
      addFile(
        { name: basename(entry).toUpperCase(), origin: entry, read: async () => bytes },
        found,
      ),
    );
  } catch (error) {
    throw new ZipRefused(
      `${label}: the download is not a complete zip (${(error as Error).message}).`,
    );
  }
  if (found.files.length === 0) {
    throw new ZipRefused(`${label}: the downloaded zip contains no cell.`);
  }
  await requireListedFiles(found, label);
  const cells: ZippedCell[] = [];
  for (const source of await cellsOf(found, { acceptBadChecksums })) {
    const files = await loadCell(source);
    if (!acceptBadChecksums) requireListedSums(files, label);
    cells.push(contentOf(files, label, keepsUnreadable));
  }
  return cells;
}

async function requireListedFiles({ files, catalogs }: Found, label: string): Promise<void> {
  const names = new Set(files.map(({ name }) => name));
  for (const catalog of catalogs) {
    for (const { path } of readCatalog(await catalog.read()).files) {
      const name = basename(path).toUpperCase();
      if (!CELL_FILE.test(name) || CATALOG_FILE.test(name) || names.has(name)) continue;
      throw new ZipRefused(`${label}: CATALOG.031 lists ${name}, which is missing from the zip.`);
    }
  }
}

function requireListedSums({ base, updates }: CellFiles, label: string): void {
  const bad = [base, ...updates].find((file) => file?.badChecksum !== undefined);
  if (bad === undefined) return;
  throw new ZipRefused(
    `${label}: the CRC-32 of ${bad.name} differs from CATALOG.031. If the catalogue file is ` +
      'wrong, use --accept-bad-checksums.',
  );
}

function contentOf(files: CellFiles, label: string, keepsUnreadable: boolean): ZippedCell {
  const { name } = files;
  if (files.base === undefined) return { name, version: undefined, hasBase: false };
  const { cell, cancelled, problems } = readCell(files);
  if (cell !== undefined) {
    const { edition, update } = cell.header;
    return { name, version: { edition, update }, hasBase: true };
  }
  if (cancelled || keepsUnreadable) return { name, version: undefined, hasBase: true };
  const reason = problems.find(({ severity }) => severity === 'error')?.message ?? 'unreadable';
  throw new ZipRefused(`${label}: ${name} in the downloaded zip cannot be used: ${reason}.`);
}
