// Parts of cells for tests that write them with the S-57 writer and read them.

import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import type { Course } from '../../shared/s57/write/cell-builder.ts';
import { encodeFile, type FileContents } from '../../shared/s57/write/encode-file.ts';

/** The plan of a harbour chart. */
export const harbourPlan = (name: string) => ({
  name,
  usageBand: 5,
  scaleDenominator: 10_000,
  edition: 1,
  update: 0,
  issueDate: '20260101',
  agency: 65_534,
});

/** A rectangle in the units of positions, closed. */
export const boxCourse = (west: number, south: number, east: number, north: number): Course => ({
  positions: [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ],
});

/** The files of a cell with the contents of a base and of updates. */
export function filesOf(base: FileContents, updates: readonly FileContents[] = []): CellFiles {
  const file = (contents: FileContents) => ({
    name: contents.dataSet.name,
    bytes: encodeFile(contents),
  });
  const name = base.dataSet.name.replace(/\.000$/, '');
  return { name, base: file(base), updates: updates.map(file) };
}

/** Write a base and updates, and read them. */
export const readContents = (base: FileContents, ...updates: readonly FileContents[]) =>
  readCell(filesOf(base, updates));
