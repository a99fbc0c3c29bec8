// Downloads the new editions of producers into the folders of the public cells, and finds which cells
// disappeared. If the job is interrupted, the next attempt knows the cells from before the first one.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCells } from '../exchange-set/exchange-set.ts';
import { placeOf } from '../pipeline/cell-location.ts';

/**
 * Downloads what changed. Returns whether nothing is missing.
 * @throws UploadRefused if a producer is unavailable
 */
export type Sync = (note: (line: string) => void) => Promise<boolean>;

/** A producer whose files are among the public cells. */
export interface Producer {
  readonly folder: string;
  /** Whether a file may lose cells without being removed (`--remove-many`). */
  readonly mayLose?: boolean;
}

/** A cell of a producer, with the file or zip that has it. */
type Place = readonly [name: string, path: string, folder: string];

async function placesIn({ folder }: Producer): Promise<Place[]> {
  return (await findCells([folder])).cells.map(({ name, base, updates }) => {
    const file = base ?? updates[0];
    return [name, file === undefined ? folder : placeOf(file).path, folder];
  });
}

const placesOf = async (producers: readonly Producer[]): Promise<Place[]> =>
  (await Promise.all(producers.map(placesIn))).flat();

const noteOf = (work: string): string => join(work, 'cells-before-refresh.json');

/**
 * Download what changed.
 * @param producers a cell of another folder is never withdrawn, only lost
 * @returns names of the cells that producers have withdrawn since the last published refresh
 */
export async function refreshCells(
  work: string,
  producers: readonly Producer[],
  sync: () => Promise<void>,
): Promise<ReadonlySet<string>> {
  const path = noteOf(work);
  if (!existsSync(path)) {
    mkdirSync(work, { recursive: true });
    // Flushed, because files are removed next: after a power failure the note must not be empty.
    writeFileSync(`${path}.unfinished`, JSON.stringify(await placesOf(producers)), { flush: true });
    renameSync(`${path}.unfinished`, path);
  }
  await sync();
  return withdrawnCells(work, producers);
}

/**
 * Names of the cells that producers have withdrawn in a refresh that is not published. Removing a cell removes its
 * file. A cell that disappeared from a file that still exists is lost, unless its producer may lose cells: the file
 * may be damaged.
 */
export async function withdrawnCells(
  work: string,
  producers: readonly Producer[],
): Promise<ReadonlySet<string>> {
  const path = noteOf(work);
  if (!existsSync(path)) return new Set();
  const before = JSON.parse(readFileSync(path, 'utf8')) as readonly Place[];
  const after = new Set((await placesOf(producers)).map(([name]) => name));
  const losing = new Set(producers.filter(({ mayLose }) => mayLose).map(({ folder }) => folder));
  const isWithdrawn = ([name, file, folder]: Place) =>
    !after.has(name) && (!existsSync(file) || losing.has(folder));
  return new Set(before.filter(isWithdrawn).map(([name]) => name));
}

/** The charts without the withdrawn cells are published. */
export const endRefresh = (work: string): void => rmSync(noteOf(work), { force: true });
