// A bucket in a plain folder, as a self-hosted service reads it. Each object is a file. It is
// written to a temporary file and renamed, so readers never see a partial object.

import { realpathSync } from 'node:fs';
import { copyFile, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { digestFile } from '../archive/file-digest.ts';
import { flushFolder } from '../archive/flush-file.ts';
import { isRunning } from '../archive/is-running.ts';
import { readUnfinished } from '../archive/unfinished.ts';
import type { FileBucket } from './bucket.ts';
import { placeFile } from './place-file.ts';

/** A file that is being copied is written to within this time. */
const COPY_MS = 86_400_000;

/** A killed runtime leaves `.kj-tmp.….partial` next to a file that it was writing. Such a file can be deleted. */
const KEY = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*(\/\.kj-tmp\.[\w.-]+)?$/;

/** Open the folder. The first write creates it. */
export function openFolderBucket(folder: string): FileBucket {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error(`Invalid object key "${key}".`);
    return join(folder, key);
  };
  /** Folders with new or removed names, which a power failure would undo. */
  const changed = new Set<string>();
  /** Flushes the folders with each manifest and pointer, not with each part. */
  const flushNames = async (key: string): Promise<void> => {
    changed.add(dirname(pathOf(key)));
    if (!key.endsWith('.json')) return;
    for (const one of changed) {
      changed.delete(one);
      await flushFolder(one);
    }
  };
  const put = async (key: string, write: (target: string) => Promise<void>): Promise<void> => {
    await placeFile(pathOf(key), write);
    await flushNames(key);
  };
  return {
    digest: (key) => digestFile(pathOf(key)).catch(noneIfMissing),
    readText: (key) => readFile(pathOf(key), 'utf8').catch(noneIfMissing),
    putFile: (key, path) => put(key, (target) => copyFile(path, target)),
    putText: (key, text) => put(key, (target) => writeFile(target, text)),
    getFile: async (key, path) => {
      const found = await stat(pathOf(key)).catch(noneIfMissing);
      if (found !== undefined) await placeFile(path, (target) => copyFile(pathOf(key), target));
      return found !== undefined;
    },
    // Unfinished files are no objects.
    list: async (prefix) =>
      (await filesBelow(folder)).filter(
        (key) => key.startsWith(prefix) && readUnfinished(key) === undefined,
      ),
    async delete(key) {
      await rm(pathOf(key), { force: true });
      await flushNames(key);
      // Remove the folder of a build with its last file.
      if (dirname(key) !== '.') await rmdir(dirname(pathOf(key))).catch(() => undefined);
    },
    // A copy cannot be resumed, so every unfinished file of a process that has ended is removed.
    async abandonUploads() {
      const left: string[] = [];
      for (const key of await filesBelow(folder)) {
        const found = readUnfinished(key);
        if (found === undefined) continue;
        const written = (await stat(join(folder, key)).catch(noneIfMissing))?.mtimeMs ?? 0;
        // In another container, the id may be that of another process.
        if (isRunning(found.pid) && Date.now() - written < COPY_MS) continue;
        await rm(join(folder, key), { force: true });
        left.push(key);
      }
      return left;
    },
    close: async () => undefined,
  };
}

/**
 * The error message if a build is in the folder of a bucket, also through links. The next build would
 * delete the parts that the bucket still names.
 */
export function ownFolderProblem(build: string, bucket: string): string | undefined {
  if (!isWithin(build, bucket)) return undefined;
  return `The build in ${build} is in the folder of the published charts, ${bucket}. The next build there would delete published charts. Build into another folder.`;
}

/** Whether a path is a folder or in that folder, also through links. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(realPathOf(folder), realPathOf(path));
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

/** Keys of all files below a folder; empty if the folder does not exist. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    noneIfMissing,
  );
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

function noneIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}
