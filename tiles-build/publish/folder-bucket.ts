// A bucket that is a plain folder, as the self-hosted service reads it: an object is a file, written
// beside its place and then moved there, so that no reader ever sees half of one.

import { copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digestFile } from '../archive/file-digest.ts';
import type { Bucket } from './bucket.ts';

/** Open the folder; it is made when something is first put. */
export function openFolderBucket(folder: string): Bucket {
  const pathOf = (key: string): string => {
    if (!/^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/.test(key)) {
      throw new Error(`"${key}" is no name of an object.`);
    }
    return join(folder, key);
  };
  const place = async (key: string, write: (path: string) => Promise<void>): Promise<void> => {
    const path = pathOf(key);
    await mkdir(dirname(path), { recursive: true });
    const unfinished = `${path}.${process.pid}.part`;
    try {
      await write(unfinished);
      await flush(unfinished);
      await rename(unfinished, path);
    } finally {
      await rm(unfinished, { force: true });
    }
  };
  return {
    digest: (key) => digestFile(pathOf(key)).catch(noneIfMissing),
    readText: (key) => readFile(pathOf(key), 'utf8').catch(noneIfMissing),
    putFile: (key, path) => place(key, (target) => copyFile(path, target)),
    putText: (key, text) => place(key, (target) => writeFile(target, text)),
    delete: (key) => rm(pathOf(key), { force: true }),
    close: async () => undefined,
  };
}

/** The pointer must not name what a power cut could still take away. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function noneIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}
