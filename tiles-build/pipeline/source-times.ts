// As of when the inputs are, without asking any clock: from the notes that `fetch` leaves, else from
// the data's own dates, so that the same input gives the same manifest.

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ManifestCell } from '../../shared/chart/manifest.ts';
import type { BackgroundSource } from '../background/background-layers.ts';
import { type Provenance, readProvenance } from '../fetch/fetch-charts.ts';
import { newestIssueTime } from './datasets.ts';

export interface SourceTimes {
  /** Epoch milliseconds. */
  readonly cells: number;
  readonly background: number;
  /** Where the cells came from, where all of them came from one place. */
  readonly cellsUrl: string | undefined;
}

/** Natural Earth 4.1.0, of which the built-in land was made, came out in May 2018. */
const BUILT_IN_BACKGROUND = Date.UTC(2018, 4, 21);

export async function sourceTimes(
  enc: readonly string[],
  background: BackgroundSource,
  cells: readonly ManifestCell[],
): Promise<SourceTimes> {
  const notes = await Promise.all(enc.map(noteOf));
  const fetched = notes.filter((note): note is Provenance => note !== undefined);
  const urls = new Set(notes.map((note) => note?.sourceUrl));
  const issued = newestIssueTime(cells.filter((cell) => cell.status.startsWith('used')));
  const cellsTime = Math.max(issued, ...fetched.map((note) => note.sourcedAt));
  return {
    cells: cellsTime,
    background: await backgroundTime(background, cellsTime),
    cellsUrl: urls.size === 1 ? [...urls][0] : undefined,
  };
}

async function backgroundTime({ folder }: BackgroundSource, otherwise: number): Promise<number> {
  if (folder === undefined) return BUILT_IN_BACKGROUND;
  return (await readProvenance(folder))?.sourcedAt ?? otherwise;
}

/** The note beside a file or inside a folder. */
async function noteOf(path: string): Promise<Provenance | undefined> {
  const isFolder = (await stat(path)).isDirectory();
  return readProvenance(isFolder ? path : dirname(path));
}
