// Writes a file atomically: to a temporary file next to it, then renamed.

import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFile } from '../archive/flush-file.ts';
import { unfinishedPath } from '../archive/unfinished.ts';

/** @param write writes the content to the given temporary path */
export async function placeFile(
  path: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = unfinishedPath(path);
  try {
    await write(unfinished);
    await flushFile(unfinished);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
