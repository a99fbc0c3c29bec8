// The state of a file without reading it. Any program that changes its bytes also changes its state.

import { statSync } from 'node:fs';

const statOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false });

/** Size, times of the last changes and number of a file; empty if it does not exist. */
export function fileState(path: string): string {
  const stat = statOf(path);
  if (stat === undefined) return '';
  const { size, mtimeNs, ctimeNs, ino } = stat;
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
}

/** Time of the last change of a file or its state, epoch milliseconds; infinite if it does not exist. */
export function lastChangeOf(path: string): number {
  const stat = statOf(path);
  return stat === undefined ? Number.POSITIVE_INFINITY : Number(stat.ctimeMs);
}
