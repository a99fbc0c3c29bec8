// Checks a downloaded zip as the build reads it: every entry matches its checksum and CATALOG.031,
// and each cell can be read with its updates.

import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { readCatalog } from '../../shared/s57/read/read-catalog.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
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

const CELL_FILE = /^([A-Z0-9_]{1,32})\.(\d{3})$/i;
const CATALOG = /^CATALOG\.\d{3}$/i;

/**
 * Read a whole zip.
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
  const files = new Map<string, Uint8Array>();
  const catalogs: Uint8Array[] = [];
  try {
    await readEveryEntry(path, (name, bytes) => {
      const file = basename(name).toUpperCase();
      if (CATALOG.test(file)) catalogs.push(bytes);
      else if (CELL_FILE.test(file) && !files.has(file)) files.set(file, bytes);
    });
  } catch (error) {
    throw new ZipRefused(
      `${label}: the download is not a complete zip (${(error as Error).message}).`,
    );
  }
  if (files.size === 0) throw new ZipRefused(`${label}: the downloaded zip contains no cell.`);
  for (const catalog of catalogs) compareWithCatalog(catalog, files, label, acceptBadChecksums);

  const cells = new Map<
    string,
    { base?: CellFiles['base']; updates: CellFiles['updates'][number][] }
  >();
  for (const [name, bytes] of files) {
    const [, cellName, ending] = CELL_FILE.exec(name)!;
    const cell = cells.get(cellName!) ?? { updates: [] };
    cells.set(cellName!, cell);
    if (ending === '000') cell.base = { name, bytes };
    else cell.updates.push({ name, bytes });
  }
  return [...cells].map(([name, { base, updates }]) => {
    if (base === undefined) return { name, version: undefined, hasBase: false };
    const { cell, cancelled, problems } = readCell({ name, base, updates });
    if (cell !== undefined) {
      const { edition, update } = cell.header;
      return { name, version: { edition, update }, hasBase: true };
    }
    if (cancelled || keepsUnreadable) return { name, version: undefined, hasBase: true };
    const reason = problems.find(({ severity }) => severity === 'error')?.message ?? 'unreadable';
    throw new ZipRefused(`${label}: ${name} in the downloaded zip cannot be used: ${reason}.`);
  });
}

/** Compare the chart files with the checksums in CATALOG.031. */
function compareWithCatalog(
  catalog: Uint8Array,
  files: ReadonlyMap<string, Uint8Array>,
  label: string,
  acceptBadChecksums: boolean,
): void {
  for (const listed of readCatalog(catalog).files) {
    const file = basename(listed.path).toUpperCase();
    if (!CELL_FILE.test(file) || CATALOG.test(file)) continue;
    const bytes = files.get(file);
    if (bytes === undefined) {
      throw new ZipRefused(`${label}: CATALOG.031 lists ${file}, which is missing from the zip.`);
    }
    if (acceptBadChecksums) continue;
    if (listed.crc32 !== undefined && crc32(bytes) !== listed.crc32) {
      throw new ZipRefused(
        `${label}: the CRC-32 of ${file} differs from CATALOG.031. If the catalogue file is ` +
          'wrong, use --accept-bad-checksums.',
      );
    }
  }
}
