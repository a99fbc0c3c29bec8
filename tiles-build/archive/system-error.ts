// Failures of the machine, as opposed to errors in a cell.

import { rmSync } from 'node:fs';

/** The content of a file has changed since it was written or read. */
export class DamagedFile extends Error {}

/** Remove a damaged file, so that the next build creates it again. @returns the error to throw */
export function removeDamaged(path: string): DamagedFile {
  rmSync(path, { force: true });
  return new DamagedFile(
    `${path} was damaged; the disk may be failing. The file has been removed and the next build creates ` +
      'it again. If it came from a pack store, also remove the copy there',
  );
}

/** Whether an error is a system error: full disk, missing permission, missing or damaged file. */
export const isSystemError = (error: unknown): boolean =>
  error instanceof DamagedFile ||
  (error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined);
