// A lock for exclusive use of a folder. The lock is a sub-folder with one file that names the
// holder and contains its mark. Renaming creates it atomically, and fails if a lock exists.

import {
  mkdirSync,
  readdirSync,
  readFileSync,
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
import { hasEnded, isRunning, processMark } from './is-running.ts';

/** Error codes of renaming onto a folder that is not empty, by operating system. */
const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

/** Interval at which a holder updates the time of its file. */
const SIGN_MS = 30_000;
/**
 * A holder counts as dead after this time without an update. Long steps block updates, and the
 * clocks of machines differ.
 */
const SILENT_MS = 15 * 60_000;

export type FolderLock =
  | { readonly isHeld: true; readonly release: () => void }
  | { readonly isHeld: false; readonly path: string; readonly holder: string };

/** Another process uses the folder. */
export class FolderInUse extends Error {}

/** Locks held by this process, by holder. */
const ours = new Set<string>();

/**
 * Lock a folder, or return the process and machine that hold the lock. The lock of a dead process
 * is taken over: immediately if it is known to have ended on this machine, otherwise after 15 minutes
 * (for example after a container was restarted under another name).
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, '.lock');
  const ownId = `${process.pid} ${hostname()} ${newId()}`;
  for (;;) {
    if (take(path, ownId)) {
      ours.add(ownId);
      const signs = setInterval(() => giveSign(path, ownId), SIGN_MS);
      signs.unref();
      const giveBack = () => {
        clearInterval(signs);
        ours.delete(ownId);
        release(path, ownId);
      };
      return { isHeld: true, release: giveBack };
    }
    const holder = holdersOf(path).find((one) => isAtWork(path, one));
    if (holder !== undefined) {
      const [pid, host] = holder.split(' ');
      return { isHeld: false, path, holder: `process ${pid} of ${host}` };
    }
    for (const gone of holdersOf(path)) if (!isAtWork(path, gone)) release(path, gone);
  }
}

/**
 * Run `work` while no other process uses the folder.
 * @param doing verb for the error message, for example "updated"
 * @throws FolderInUse if another process holds the lock; nothing was changed
 */
export async function inLockedFolder<Result>(
  folder: string,
  doing: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = lockFolder(folder);
  if (!lock.isHeld) {
    throw new FolderInUse(
      `${folder} is being ${doing} by ${lock.holder}. Nothing was changed. ` +
        `If that process no longer runs, remove ${lock.path}.`,
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * A process on another machine is only known by its updates. On this machine, the id of a dead
 * holder can belong to another program after a restart, so its mark and its updates count too. A holder
 * with this process's id is dead: in a container, each start of a program has the same id.
 */
function isAtWork(path: string, holder: string): boolean {
  const [pid, host] = holder.split(' ');
  if (host === hostname()) {
    if (Number(pid) === process.pid) return ours.has(holder);
    if (!isRunning(Number(pid)) || hasEnded(markOf(path, holder), true)) return false;
  }
  // A time in the future is from before the clock was set back.
  return Math.abs(Date.now() - lastSign(path, holder)) < SILENT_MS;
}

/** Empty if the lock no longer exists, or its system has no marks. */
function markOf(path: string, holder: string): string {
  try {
    return readFileSync(join(path, holder), 'utf8');
  } catch {
    return '';
  }
}

function giveSign(path: string, holder: string): void {
  try {
    utimesSync(join(path, holder), new Date(), new Date());
  } catch {
    // The folder was deleted.
  }
}

/** Epoch milliseconds of the last update, or 0 if the lock no longer exists. */
function lastSign(path: string, holder: string): number {
  return statSync(join(path, holder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function take(path: string, holder: string): boolean {
  const ownFolder = `${path}-${holder}`;
  mkdirSync(ownFolder);
  writeFileSync(join(ownFolder, holder), '');
  try {
    writeFileSync(join(ownFolder, holder), processMark() ?? '');
  } catch {
    // The disk is full. A lock without a mark is valid.
  }
  try {
    renameSync(ownFolder, path);
    return true;
  } catch (error) {
    rmSync(ownFolder, { recursive: true });
    if (!TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}

/** Release the lock, unless another process has taken it over. */
function release(path: string, holder: string): void {
  rmSync(join(path, holder), { force: true });
  try {
    rmdirSync(path);
  } catch {
    // The lock belongs to another process or no longer exists.
  }
}

function holdersOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    // The lock was released meanwhile.
    return [];
  }
}
