// Creates a file atomically. If several processes create it at once, the first one wins.

import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Create a file that only its owner can read, unless it exists.
 * @returns the content of the file, which may be another process's
 */
export function createOnce(path: string, text: string): string {
  const unfinished = `${path}.${randomUUID()}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished);
  }
  return readFileSync(path, 'utf8');
}
