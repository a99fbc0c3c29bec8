// What is wrong with the machine and not with a cell.

import { rmSync } from 'node:fs';

/** A file that a build wrote holds other bytes now. */
export class DamagedFile extends Error {}

/** Remove a file that holds other bytes than were written into it, so that it is made anew. @returns what to throw */
export function removeDamaged(path: string): DamagedFile {
  rmSync(path, { force: true });
  return new DamagedFile(
    `${path} was not as it had been written: the disk may be failing. It has been removed, and is made ` +
      'anew by the next build; if it came from a store of packs, its copy there has to be removed too',
  );
}

/**
 * Whether an error is the system's: a disk is full, a folder may not be written, a file went away or was
 * damaged. What is wrong with a cell itself is no such error.
 */
export const isSystemError = (error: unknown): boolean =>
  error instanceof DamagedFile ||
  (error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined);
