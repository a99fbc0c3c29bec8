// Creates or replaces a file atomically, even if the power fails. If several processes create it at once, the
// first one wins.

import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/** Parse a JSON file that Leadline wrote. @throws Error with a remedy if the file is damaged */
export function parseStored<T>(path: string, text: string, isWhole: (value: T) => boolean): T {
  try {
    const value = JSON.parse(text) as T;
    if (isWhole(value)) return value;
  } catch {
    // The message is the same as for JSON of another kind.
  }
  throw new Error(`${path} is damaged. Restore it from a backup.`);
}

/**
 * Create a file that only its owner can read, unless it exists.
 * @returns the content of the file, which may be another process's
 */
export function createOnce(path: string, text: string): string {
  // A disk that is full or read-only does not matter if the file exists.
  if (existsSync(path)) return readFileSync(path, 'utf8');
  const unfinished = `${path}.${randomUUID()}`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flush: true });
    linkSync(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  return readFileSync(path, 'utf8');
}

/** Replace a file, whose mode and owner stay. All users can read a new file. */
export function replaceFile(path: string, text: string): void {
  const known = statSync(path, { throwIfNoEntry: false });
  const unfinished = `${path}.${randomUUID()}`;
  try {
    writeFileSync(unfinished, text, { mode: (known?.mode ?? 0o644) & 0o777, flush: true });
    // The user of the service must be able to read what root writes.
    if (known !== undefined && process.getuid?.() === 0)
      chownSync(unfinished, known.uid, known.gid);
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
