// Flushes files to disk before they are renamed, and folders afterwards.

import { open } from 'node:fs/promises';

/** Flush a file to disk, so that a renamed file survives a power failure. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The folder does not exist, or its file system flushes no folders, as some network file systems. */
const UNFLUSHED = new Set(['ENOENT', 'EINVAL', 'EBADF', 'ENOTSUP']);

/** Flush the names of the files in a folder to disk. */
export async function flushFolder(path: string): Promise<void> {
  await flushFile(path).catch((error: NodeJS.ErrnoException) => {
    if (!UNFLUSHED.has(error.code ?? '')) throw error;
  });
}
