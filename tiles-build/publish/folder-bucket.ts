// A bucket that is a plain folder, as the self-hosted service reads it: an object is a file, written
// beside its place and then moved there, so that no reader ever sees half of one.

import { copyFile, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { digestFile } from '../archive/file-digest.ts';
import { readUnfinished } from '../archive/unfinished.ts';
import type { FileBucket } from './bucket.ts';
import { placeFile } from './place-file.ts';

/** Open the folder; it is made when something is first put. */
export function openFolderBucket(folder: string): FileBucket {
  const pathOf = (key: string): string => {
    if (!/^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/.test(key)) {
      throw new Error(`"${key}" is no name of an object.`);
    }
    return join(folder, key);
  };
  return {
    digest: (key) => digestFile(pathOf(key)).catch(noneIfMissing),
    readText: (key) => readFile(pathOf(key), 'utf8').catch(noneIfMissing),
    putFile: (key, path) => placeFile(pathOf(key), (target) => copyFile(path, target)),
    putText: (key, text) => placeFile(pathOf(key), (target) => writeFile(target, text)),
    getFile: async (key, path) => {
      const found = await stat(pathOf(key)).catch(noneIfMissing);
      if (found !== undefined) await placeFile(path, (target) => copyFile(pathOf(key), target));
      return found !== undefined;
    },
    list: async (prefix) => (await filesBelow(folder)).filter((key) => key.startsWith(prefix)),
    async delete(key) {
      await rm(pathOf(key), { force: true });
      // The folder of a build that has no file any more goes too.
      if (dirname(key) !== '.') await rmdir(dirname(pathOf(key))).catch(() => undefined);
    },
    // They cannot be continued here: a copy begins anew.
    async abandonUploads() {
      const left = (await filesBelow(folder)).filter((key) => readUnfinished(key) !== undefined);
      for (const key of left) await rm(join(folder, key), { force: true });
      return left;
    },
    close: async () => undefined,
  };
}

/** Every file below a folder, as keys; none where there is no folder. */
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
