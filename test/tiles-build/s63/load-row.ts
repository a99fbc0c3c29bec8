// Loads the deliveries of a test as `charts build` does, up to reading the cells.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Problem } from '../../../shared/s57/cell/cell.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { joinPermits, readPermitFile } from '../../../tiles-build/s63/permits.ts';
import { problemsAsRead } from '../../../tiles-build/s63/problems-as-read.ts';
import { readTrustedKey } from '../../../tiles-build/s63/trusted-key.ts';
import { unlockWith } from '../../../tiles-build/s63/unlock.ts';
import type { S64Input } from './s64-inputs.ts';

/** The hardware id of the test data, published in S-64. */
const HARDWARE_ID = Buffer.from('12345');

/** Whether the data of a test are there. */
export const hasRow = (root: string, row: S64Input): boolean =>
  [...row.permits, ...row.keys, ...row.sets].every((path) => existsSync(join(root, path)));

/** The result of a test in the form of `S64Result.ours`. */
export async function loadRow(root: string, row: S64Input): Promise<string> {
  const bytesOf = (path: string) => readFileSync(join(root, path));
  const permits = row.permits.map((path) =>
    readPermitFile(bytesOf(path), basename(path), HARDWARE_ID),
  );
  const keys = row.keys.map((path) => readTrustedKey(bytesOf(path), path, row.day));
  const refused = permits.flatMap((file) => [...file.refused.values()]);
  const unlock = unlockWith({
    permits: joinPermits(permits),
    trusted: keys.flatMap(({ key }) => (key === undefined ? [] : [key])),
    today: row.day,
    problems: [...keys.flatMap(({ problems }) => problems), ...refused],
  });
  const codesOf = (found: readonly Problem[]) =>
    [...new Set(found.map(({ code }) => code).filter(isOwn))].sort();
  if (row.sets.length === 0)
    return [`${joinPermits(permits).all.length} permits`, ...codesOf(refused)].join('; ');
  const paths = row.sets.map((path) => join(root, path));
  const { cells, problems } = await findCells(paths, { unlock });
  const lines = codesOf(problems);
  for (const source of cells) {
    const { name, base, updates, encrypted } = source;
    const isEmpty = base === undefined && updates.length === 0;
    const {
      cell,
      cancelled,
      problems: read,
    } = isEmpty
      ? { cell: undefined, cancelled: false, problems: [] }
      : readCell(await loadCell(source));
    const found = cell && { header: cell.header };
    const all = problemsAsRead(encrypted, { name, problems: read, ...(found && { found }) });
    const state = cell
      ? `${cell.header.edition}.${cell.header.update}`
      : cancelled
        ? 'cancelled'
        : 'refused';
    const codes = new Set(
      all
        .filter(({ code, severity }) => isOwn(code) || severity === 'error')
        .map(({ code }) => code),
    );
    lines.push([name, state, ...codes].join(' '));
  }
  return lines.join('; ');
}

const isOwn = (code: string): boolean => /^(?:sse|s63)-/.test(code);
