// Downloads the new editions of producers into the folders of the public cells, and finds which cells
// disappeared. If the job is interrupted, the next attempt knows the cells from before the first one.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCells } from '../exchange-set/exchange-set.ts';

/** Downloads what changed. @throws UploadRefused if a producer is unavailable */
export type Sync = (note: (line: string) => void) => Promise<void>;

const namesIn = async (enc: readonly string[]): Promise<readonly string[]> =>
  (await findCells(enc)).cells.map(({ name }) => name);

const noteOf = (work: string): string => join(work, 'cells-before-refresh.json');

/**
 * @param produced folders of the producers. A cell of another folder is never withdrawn, only lost.
 * @returns names of the cells that producers have withdrawn since the last published refresh
 */
export async function refreshCells(
  work: string,
  produced: readonly string[],
  sync: () => Promise<void>,
): Promise<ReadonlySet<string>> {
  const path = noteOf(work);
  if (!existsSync(path)) {
    mkdirSync(work, { recursive: true });
    writeFileSync(`${path}.unfinished`, JSON.stringify(await namesIn(produced)));
    renameSync(`${path}.unfinished`, path);
  }
  const before = JSON.parse(readFileSync(path, 'utf8')) as readonly string[];
  await sync();
  const after = new Set(await namesIn(produced));
  return new Set(before.filter((name) => !after.has(name)));
}

/** The charts without the withdrawn cells are published. */
export const endRefresh = (work: string): void => rmSync(noteOf(work), { force: true });
