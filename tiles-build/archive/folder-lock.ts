// One process at a time works in a folder. The lock is a folder with one file, which names its holder:
// renaming puts it there in one step, and only where there is none with a file.

import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { v4 as newId } from 'uuid';
import { isRunning } from './is-running.ts';

/** What renaming onto a folder that is not empty ends in, by operating system. */
const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

export type FolderLock =
  | { readonly isTaken: true; readonly release: () => void }
  | { readonly isTaken: false; readonly path: string; readonly holder: string };

/** Locks that this process holds now, by their holders. */
const ours = new Set<string>();

/**
 * Takes a folder for work in it, or says who has it: a process and its machine. The lock of a process
 * of this machine that ended without giving it back is taken over.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, '.lock');
  const own = `${process.pid} ${hostname()} ${newId()}`;
  for (;;) {
    if (take(path, own)) {
      ours.add(own);
      const giveBack = () => {
        ours.delete(own);
        release(path, own);
      };
      return { isTaken: true, release: giveBack };
    }
    const holder = holdersOf(path).find(isAtWork);
    if (holder !== undefined) {
      const [pid, host] = holder.split(' ');
      return { isTaken: false, path, holder: `process ${pid} of ${host}` };
    }
    for (const gone of holdersOf(path)) if (!isAtWork(gone)) release(path, gone);
  }
}

/**
 * Of another machine's process nothing is known. One that had our number is gone: in a container every
 * start of a program has the same.
 */
function isAtWork(holder: string): boolean {
  const [pid, host] = holder.split(' ');
  if (host !== hostname()) return true;
  return Number(pid) === process.pid ? ours.has(holder) : isRunning(Number(pid));
}

function take(path: string, holder: string): boolean {
  const own = `${path}-${holder}`;
  mkdirSync(own);
  writeFileSync(join(own, holder), '');
  try {
    renameSync(own, path);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true });
    if (!TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}

/** Of this holder alone: whoever has taken the lock since keeps it. */
function release(path: string, holder: string): void {
  rmSync(join(path, holder), { force: true });
  try {
    rmdirSync(path);
  } catch {
    // Another's by now, or gone.
  }
}

function holdersOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    // Given back in between.
    return [];
  }
}
