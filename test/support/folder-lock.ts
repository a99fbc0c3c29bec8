// Waits for exclusive use of a folder.

import { setTimeout as wait } from 'node:timers/promises';
import { lockFolder } from '../../tiles-build/archive/folder-lock.ts';

const LOOK_AGAIN_MS = 200;

/** Runs `work` while no other process uses the folder, and returns its result. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  let lock = lockFolder(folder);
  while (!lock.isHeld) {
    await wait(LOOK_AGAIN_MS);
    lock = lockFolder(folder);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
