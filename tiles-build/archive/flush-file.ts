// Files that are whole on the disk before something names them.

import { open } from 'node:fs/promises';

/** Writes a file through to the disk: a name must not stand for what a power cut could take away. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
