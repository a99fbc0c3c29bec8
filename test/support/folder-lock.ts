// Waiting for a folder that one process at a time works in.

import { setTimeout as wait } from 'node:timers/promises';
import { lockFolder } from '../../tiles-build/archive/folder-lock.ts';

const LOOK_AGAIN_MS = 200;

/** What `work` gives, run while no other work runs for the same folder: see `lockFolder`. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  let lock = lockFolder(folder);
  while (!lock.isTaken) {
    await wait(LOOK_AGAIN_MS);
    lock = lockFolder(folder);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
