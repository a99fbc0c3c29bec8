// Tracks the processes that use the PostgreSQL server of a folder, so that the last one stops it, and locks
// the start and stop of the server.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { commandOf, startOf } from './process.ts';

const LOOK_AGAIN_MS = 50;
/** Creating the data of a server takes some seconds, stopping one at most ten. */
const PATIENCE_MS = 120_000;

/** Names written by this process. In a container, an earlier process may have had the same process id. */
const ours = new Set<string>();

/** `<process id>-<random id>.<start of the process>`. */
function newName(): string {
  const name = `${process.pid}-${randomUUID()}.${startOf(process.pid)}`;
  ours.add(name);
  return name;
}

/**
 * Run `work` with an exclusive lock for the folder. The lock of a process that ended is released.
 * @throws Error after two minutes without the lock
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

/** Take the lock by renaming a folder with one file; this fails if the target is not empty. */
function take(lock: string, name: string): boolean {
  const ownFolder = `${lock}-${name}`;
  mkdirSync(ownFolder, { recursive: true });
  writeFileSync(join(ownFolder, name), '');
  try {
    renameSync(ownFolder, lock);
    return true;
  } catch {
    rmSync(ownFolder, { recursive: true, force: true });
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

/** Register a use of the server of a folder. */
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
  // Ids are used again after a crash. Without a start time: every user of the server is a program of Node.
  const start = name.split('.')[1];
  return start ? start === startOf(pid) : /\bnode/.test(commandOf(pid));
}
