// Which processes use the PostgreSQL server of a folder, and whose turn it is to start or stop it: the
// last process that uses a server stops it, and no process finds one that is half started or stopped.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_AGAIN_MS = 50;
/** Creating the data of a server takes some seconds, stopping one at most ten. */
const PATIENCE_MS = 120_000;

/** Names that this process has written: a process of a container may have the id of the one before. */
const ours = new Set<string>();

/** `<process id>-<random id>`. */
function newName(): string {
  const name = `${process.pid}-${randomUUID()}`;
  ours.add(name);
  return name;
}

/**
 * Run `work` while no other process of this machine, nor another call of this one, runs its own for the
 * same folder. The turn of a process that ended is over.
 * @throws Error if that takes more than two minutes
 */
export async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = `${folder}.turn`;
  const name = newName();
  for (const since = Date.now(); !take(lock, name); await wait(LOOK_AGAIN_MS)) {
    for (const holder of namesIn(lock)) if (!isAlive(holder)) leave(lock, holder);
    if (Date.now() - since > PATIENCE_MS) {
      throw new Error(`Another process has been starting or stopping ${folder} for two minutes.`);
    }
  }
  try {
    return await work();
  } finally {
    leave(lock, name);
  }
}

/** A folder with one file, moved there in one step; that fails where there is one with a file. */
function take(lock: string, name: string): boolean {
  const own = `${lock}-${name}`;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, name), '');
  try {
    renameSync(own, lock);
    return true;
  } catch {
    rmSync(own, { recursive: true, force: true });
    return false;
  }
}

function leave(lock: string, name: string): void {
  ours.delete(name);
  rmSync(join(lock, name), { force: true });
  try {
    rmdirSync(lock);
  } catch {
    // Another process has taken it, or removed it.
  }
}

/** Use of a server by this process. */
export interface ServerUse {
  /** @returns whether no other process, nor another use by this one, is left */
  end(): boolean;
}

/** Enter a use of the server of a folder. */
export function useServer(folder: string): ServerUse {
  const users = `${folder}.users`;
  const name = newName();
  mkdirSync(users, { recursive: true });
  writeFileSync(join(users, name), '');
  return {
    end: () => {
      ours.delete(name);
      rmSync(join(users, name), { force: true });
      const others = namesIn(users);
      for (const gone of others) if (!isAlive(gone)) rmSync(join(users, gone), { force: true });
      return !others.some(isAlive);
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(name: string): boolean {
  const pid = Number(name.split('-')[0]);
  if (pid === process.pid) return ours.has(name);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
