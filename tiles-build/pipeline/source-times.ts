// When the inputs were obtained: from the provenance files that `fetch` writes, otherwise from file
// times. Only the manifest uses them.

import { stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { type BackgroundSource, backgroundFiles } from '../background/background-layers.ts';
import { type Provenance, readProvenance } from '../fetch/provenance.ts';
import type { CellLocation } from './cell-location.ts';

interface SourceTimes {
  /** Epoch milliseconds of the newest file. */
  readonly cells: number;
  readonly background: number;
  /** Download address, if all cells came from the same address. */
  readonly cellsUrl: string | undefined;
}

/** Natural Earth 4.1.0, the source of the built-in land, was released in May 2018. */
const BUILT_IN_BACKGROUND = Date.UTC(2018, 4, 21);

/** @param cells the cells that are used, found under the paths in `enc` */
export async function sourceTimes(
  enc: readonly string[],
  background: BackgroundSource,
  cells: readonly CellLocation[],
): Promise<SourceTimes> {
  const files = cells.flatMap(({ base, updates }) =>
    base === undefined ? updates : [base, ...updates],
  );
  const paths = [...new Set(files.map(({ path, foundAt }) => resolve(foundAt ?? path)))];
  const notes = await Promise.all(enc.map(noteOf));
  const times = await Promise.all(
    enc.map(async (folder, i) => {
      const root = resolve(folder);
      const below = paths.filter((path) => path === root || path.startsWith(root + sep));
      return below.length === 0 ? 0 : (notes[i]?.sourcedAt ?? newestFileTime(below));
    }),
  );
  const urls = new Set(notes.map((note) => note?.sourceUrl));
  return {
    cells: newest(times),
    background: await backgroundTime(background),
    cellsUrl: urls.size === 1 ? [...urls][0] : undefined,
  };
}

async function backgroundTime(background: BackgroundSource): Promise<number> {
  const { folder } = background;
  if (folder === undefined) return BUILT_IN_BACKGROUND;
  return (await readProvenance(folder))?.sourcedAt ?? newestFileTime(backgroundFiles(folder));
}

/** Modification time of the newest file, in whole milliseconds. */
async function newestFileTime(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
  return Math.floor(newest(times));
}

const newest = (times: readonly number[]): number =>
  times.reduce((latest, time) => Math.max(latest, time), 0);

/** The provenance next to a file or inside a folder. */
async function noteOf(path: string): Promise<Provenance | undefined> {
  const isFolder = (await stat(path)).isDirectory();
  return readProvenance(isFolder ? path : dirname(path));
}
