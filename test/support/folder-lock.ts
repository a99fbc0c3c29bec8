// One process or thread at a time works in a folder. The lock is a folder with one file, which names
// its holder's process: renaming puts it there in one step, and only where there is none with a file.

import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { v4 as newId } from 'uuid';
import { isRunning } from '../../tiles-build/pipeline/is-running.ts';

const LOOK_AGAIN_MS = 200;
/** What renaming onto a folder that is not empty ends in, by operating system. */
const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

/**
 * What `work` gives, run while no other work runs for the same folder. The lock of a process that
 * ended without giving it back is taken over.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, '.lock');
  const holder = `${process.pid}-${newId()}`;
  while (!take(lock, holder)) await wait(LOOK_AGAIN_MS);
  try {
    return await work();
  } finally {
    release(lock, holder);
  }
}

function take(lock: string, holder: string): boolean {
  const own = `${lock}-${holder}`;
  mkdirSync(own);
  writeFileSync(join(own, holder), '');
  try {
    renameSync(own, lock);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true });
    if (!TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  for (const other of holdersOf(lock)) {
    if (!isRunning(Number.parseInt(other, 10))) release(lock, other);
  }
  return false;
}

/** Of this holder alone: whoever has taken the lock since keeps it. */
function release(lock: string, holder: string): void {
  rmSync(join(lock, holder), { force: true });
  try {
    rmdirSync(lock);
  } catch {
    // Another's by now, or gone.
  }
}

function holdersOf(lock: string): string[] {
  try {
    return readdirSync(lock);
  } catch {
    // Given back in between.
    return [];
  }
}
