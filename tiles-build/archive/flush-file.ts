// Flushes files to disk before they are renamed.

import { open } from 'node:fs/promises';

/** Flush a file to disk, so that a renamed file survives a power failure. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
