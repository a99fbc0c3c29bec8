// Lists the local zips and their content. A notes file avoids reading all zips on each run; a zip
// that changed since its note is read again.

import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { CellVersion } from './catalogue.ts';
import type { LocalZip } from './plan.ts';
import { readZipContent } from './zip-content.ts';

const NOTES_FILE = 'leadline-sync.json';

const noteSchema = z.object({
  /** Size of the zip when it was read. */
  bytes: z.number(),
  modifiedMs: z.number(),
  version: z.object({ edition: z.number(), update: z.number() }).optional(),
  zipTime: z.string(),
});
const notesSchema = z.object({ format: z.literal(1), zips: z.record(z.string(), noteSchema) });

export type ZipNote = z.infer<typeof noteSchema>;
export type Notes = Map<string, ZipNote>;

/** Read the notes of a folder; empty if the file is missing or invalid. */
export async function readNotes(folder: string): Promise<Notes> {
  try {
    const text = await readFile(join(folder, NOTES_FILE), 'utf8');
    return new Map(Object.entries(notesSchema.parse(JSON.parse(text)).zips));
  } catch {
    return new Map();
  }
}

export async function writeNotes(folder: string, notes: Notes): Promise<void> {
  const zips = Object.fromEntries([...notes].sort(([a], [b]) => (a < b ? -1 : 1)));
  const path = join(folder, NOTES_FILE);
  await writeFile(`${path}.part`, `${JSON.stringify({ format: 1, zips }, null, 1)}\n`);
  await rename(`${path}.part`, path);
}

/** The zips of a folder by name, without `.zip`; empty if the folder does not exist. */
export async function readLocalZips(
  folder: string,
  notes: Notes,
  acceptBadChecksums = false,
): Promise<ReadonlyMap<string, LocalZip>> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const localZips = new Map<string, LocalZip>();
  for (const file of files.sort()) {
    if (!/\.zip$/i.test(file)) continue;
    const name = file.slice(0, -'.zip'.length);
    localZips.set(
      name,
      await readLocalZip(join(folder, file), name, notes.get(name), acceptBadChecksums),
    );
  }
  return localZips;
}

async function readLocalZip(
  path: string,
  name: string,
  note: ZipNote | undefined,
  acceptBadChecksums: boolean,
): Promise<LocalZip> {
  const { size, mtimeMs } = await stat(path);
  const wasSynced = note !== undefined;
  if (note?.bytes === size && note.modifiedMs === mtimeMs) {
    return { version: note.version, isReadable: true, zipTime: note.zipTime, wasSynced };
  }
  try {
    const version = await versionInZip(path, name, acceptBadChecksums);
    return { version, isReadable: true, zipTime: note?.zipTime ?? '', wasSynced };
  } catch {
    return { version: undefined, isReadable: false, zipTime: '', wasSynced };
  }
}

/**
 * The version of the cell that the zip is named after, or `undefined` if the zip does not contain
 * it.
 */
async function versionInZip(
  path: string,
  name: string,
  acceptBadChecksums: boolean,
): Promise<CellVersion | undefined> {
  const cells = await readZipContent(path, name, acceptBadChecksums);
  return cells.find((cell) => cell.name === name.toUpperCase())?.version;
}

export async function noteOf(
  path: string,
  version: CellVersion | undefined,
  zipTime: string,
): Promise<ZipNote> {
  const { size, mtimeMs } = await stat(path);
  return {
    bytes: size,
    modifiedMs: mtimeMs,
    zipTime,
    ...(version === undefined ? {} : { version }),
  };
}
