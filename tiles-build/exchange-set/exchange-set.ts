// Cells in files, folders, exchange sets and zips: which files belong to which cell. Files are read
// only when a cell is wanted, so that a nation's delivery does not fill the memory.

import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { CellFile, CellFiles } from '../../shared/s57/read/read-cell.ts';
import { listZip, readZipEntry } from './zip.ts';

/** One file of a cell, not read yet. */
export interface CellFileSource {
  readonly name: string;
  /** For messages: the path, or `archive.zip:entry`. */
  readonly origin: string;
  readonly read: () => Promise<Uint8Array>;
}

/** A cell as found: its base file and its updates, not read yet. */
export interface CellSource {
  readonly name: string;
  readonly base?: CellFileSource;
  readonly updates: readonly CellFileSource[];
}

/** Data sets are named with eight characters; the ending is the update number, 000 the base. */
const CELL_FILE = /^([A-Za-z0-9_]{1,32})\.(\d{3})$/;

/**
 * Every cell below the given paths, by name. A name found several times keeps the first base and
 * the first of each update; the others are named as problems.
 * @throws Error when a path does not exist
 */
export async function findCells(
  paths: readonly string[],
): Promise<{ cells: CellSource[]; problems: Problem[] }> {
  const problems: Problem[] = [];
  const found: CellFileSource[] = [];
  for (const path of paths) await collect(path, found, problems);
  const cells = new Map<string, FoundFiles>();
  for (const file of found) {
    const [, name, ending] = CELL_FILE.exec(file.name)!;
    const cell: FoundFiles = cells.get(name!) ?? { updates: new Map() };
    cells.set(name!, cell);
    const taken = ending === '000' ? cell.base : cell.updates.get(ending!);
    if (taken !== undefined) {
      problems.push({
        code: 'repeated-file',
        message: `${file.origin} repeats ${taken.origin}, which is used`,
        file: file.name,
        severity: 'warning',
      });
    } else if (ending === '000') cell.base = file;
    else cell.updates.set(ending!, file);
  }
  return {
    cells: [...cells]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { base, updates }]) => ({
        name,
        updates: [...updates].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file),
        ...(base === undefined ? {} : { base }),
      })),
    problems,
  };
}

interface FoundFiles {
  base?: CellFileSource;
  readonly updates: Map<string, CellFileSource>;
}

/** A file's bytes, or why it has none: one that cannot be read must not cost the others. */
export async function readOrReason(
  name: string,
  read: () => Promise<Uint8Array>,
): Promise<CellFile> {
  try {
    return { name, bytes: await read() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, bytes: new Uint8Array(0), unreadable: reason };
  }
}

/** Read the bytes of one found cell. */
export async function loadCell(source: CellSource): Promise<CellFiles> {
  const load = (file: CellFileSource) => readOrReason(file.name, file.read);
  return {
    name: source.name,
    updates: await Promise.all(source.updates.map(load)),
    ...(source.base === undefined ? {} : { base: await load(source.base) }),
  };
}

async function collect(path: string, found: CellFileSource[], problems: Problem[]): Promise<void> {
  const info = await stat(path);
  if (info.isDirectory()) {
    const entries = (await readdir(path)).sort();
    for (const entry of entries) await collect(join(path, entry), found, problems);
    return;
  }
  const name = basename(path);
  if (CELL_FILE.test(name) && !/^CATALOG\.\d{3}$/i.test(name)) {
    found.push({
      name,
      origin: path,
      read: async () => new Uint8Array(await readFile(path)),
    });
  } else if (/\.zip$/i.test(name)) {
    await collectZip(path, found, problems);
  }
}

async function collectZip(
  path: string,
  found: CellFileSource[],
  problems: Problem[],
): Promise<void> {
  try {
    for (const entry of await listZip(path)) {
      const name = basename(entry);
      if (!CELL_FILE.test(name) || /^CATALOG\.\d{3}$/i.test(name)) continue;
      found.push({ name, origin: `${path}:${entry}`, read: () => readZipEntry(path, entry) });
    }
  } catch (error) {
    problems.push({
      code: 'unreadable-zip',
      message: `${path} cannot be read as a zip: ${error instanceof Error ? error.message : error}`,
      file: basename(path),
      severity: 'error',
    });
  }
}
