// A file that appears whole or not at all: written beside its place, and then moved there.

import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFile } from '../archive/flush-file.ts';
import { unfinishedPath } from '../archive/unfinished.ts';

/** @param write fills the path that it is given */
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
