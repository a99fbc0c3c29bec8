// One process at a time works in a folder. The lock is a folder with one file, which names its holder:
// renaming puts it there in one step, and only where there is none with a file.

import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { v4 as newId } from 'uuid';
import { isRunning } from './is-running.ts';

/** What renaming onto a folder that is not empty ends in, by operating system. */
const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

/** A holder says so often that it is at work, by the time of its file. */
const SIGN_MS = 30_000;
/** A holder on another machine that gave no sign for so long is gone: long steps give none, clocks differ. */
const SILENT_MS = 15 * 60_000;

export type FolderLock =
  | { readonly isTaken: true; readonly release: () => void }
  | { readonly isTaken: false; readonly path: string; readonly holder: string };

/** Another process is at work in a folder. */
export class FolderInUse extends Error {}

/** Locks that this process holds now, by their holders. */
const ours = new Set<string>();

/**
 * Takes a folder for work in it, or says who has it: a process and its machine. The lock of a process
 * that ended without giving it back is taken over: at once where it was of this machine, else after a
 * quarter of an hour, as for a container that was started again under another name.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, '.lock');
  const own = `${process.pid} ${hostname()} ${newId()}`;
  for (;;) {
    if (take(path, own)) {
      ours.add(own);
      const signs = setInterval(() => giveSign(path, own), SIGN_MS);
      signs.unref();
      const giveBack = () => {
        clearInterval(signs);
        ours.delete(own);
        release(path, own);
      };
      return { isTaken: true, release: giveBack };
    }
    const holder = holdersOf(path).find((one) => isAtWork(path, one));
    if (holder !== undefined) {
      const [pid, host] = holder.split(' ');
      return { isTaken: false, path, holder: `process ${pid} of ${host}` };
    }
    for (const gone of holdersOf(path)) if (!isAtWork(path, gone)) release(path, gone);
  }
}

/**
 * What `work` gives, done while no other process works in the folder.
 * @param doing what is done to the folder, as "brought up to date"
 * @throws FolderInUse where another one has it; nothing was changed
 */
export async function inLockedFolder<Result>(
  folder: string,
  doing: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = lockFolder(folder);
  if (!lock.isTaken) {
    throw new FolderInUse(
      `${folder} is being ${doing} by ${lock.holder}. Nothing was changed. ` +
        `If no such process is at work any more, remove ${lock.path}.`,
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * Of another machine's process only its signs are known. One that had our number is gone: in a container
 * every start of a program has the same.
 */
function isAtWork(path: string, holder: string): boolean {
  const [pid, host] = holder.split(' ');
  if (host !== hostname()) return Date.now() - lastSign(path, holder) < SILENT_MS;
  return Number(pid) === process.pid ? ours.has(holder) : isRunning(Number(pid));
}

function giveSign(path: string, holder: string): void {
  try {
    utimesSync(join(path, holder), new Date(), new Date());
  } catch {
    // The folder was deleted.
  }
}

/** Milliseconds since 1970; of one that is gone long ago. */
function lastSign(path: string, holder: string): number {
  return statSync(join(path, holder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
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
