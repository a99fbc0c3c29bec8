// The files of jobs in a bucket that all machines reach, under names that their content gives: what is
// there is right, and nothing there is ever changed.

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { digestFile } from '../archive/file-digest.ts';
import type { FileBucket } from '../publish/bucket.ts';
import { openFolderBucket } from '../publish/folder-bucket.ts';
import { s3Settings } from '../publish/s3-settings.ts';

/** Files on their way at a time. */
const AT_ONCE = 8;

export interface PackStore {
  /** What it is called: the same on every machine, as processes with another store take no jobs of it. */
  readonly place: string;
  /** Name of a cell's file or a zip, by its bytes. @throws Error where it cannot be read */
  keyOfInput(path: string): Promise<string>;
  /** Put a file into the store, unless it is there. */
  put(key: string, path: string): Promise<void>;
  /** Put a file into the store, also where it is there: it may have been emptied since we looked. */
  replace(key: string, path: string): Promise<void>;
  /** Have a file of the store at `path`, unless it is there. @throws Error where the store has none */
  get(key: string, path: string): Promise<void>;
  /** Whether the store has a file, and if so have it at `path`. */
  find(key: string, path: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Name of a file of a build's cache, which its own name tells apart already. */
export const keyOfCached = (path: string): string => `${basename(dirname(path))}/${basename(path)}`;

/** Where a file of the store lies in a folder of one's own. */
export const pathOfKey = (folder: string, key: string): string => join(folder, ...key.split('/'));

/** Name of a background's folder, by the background's digest. */
export const folderKey = (digest: string): string => `backgrounds/${digest}`;

/**
 * Open a store.
 *
 * @param place a folder, or `s3://bucket`, named alike on all machines, whose keys and address are taken from the environment as
 * S3's own tools do
 * @throws BucketSettingsMissing where the environment lacks them
 */
export async function openPackStore(
  place: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<PackStore> {
  const bucketName = /^s3:\/\/([^/]+)\/?$/.exec(place)?.[1];
  if (bucketName === undefined) return packStore(resolve(place), openFolderBucket(place));
  // The client is large, and only needed here.
  const { openS3Bucket } = await import('../publish/s3-bucket.ts');
  return packStore(place, openS3Bucket(s3Settings(bucketName, undefined, environment)));
}

export function packStore(place: string, bucket: FileBucket): PackStore {
  const limit = pLimit(AT_ONCE);
  /** Files that went or are on their way, and those on their way here: so that none goes twice. */
  const sent = new Map<string, Promise<void>>();
  const coming = new Map<string, Promise<boolean>>();
  let listed: Promise<ReadonlySet<string>> | undefined;
  const known = () => {
    listed ??= bucket.list('').then((keys) => new Set(keys ?? []));
    return listed;
  };
  const find = async (key: string, path: string): Promise<boolean> => {
    if (existsSync(path)) return true;
    let one = coming.get(path);
    if (one === undefined) {
      one = limit(() => bucket.getFile(key, path)).finally(() => coming.delete(path));
      coming.set(path, one);
    }
    return one;
  };
  return {
    place,
    keyOfInput: async (path) => `cells/${(await limit(() => digestFile(path))).sha256}`,
    put: (key, path) => {
      let going = sent.get(key);
      if (going === undefined) {
        going = limit(async () => {
          if (!(await known()).has(key)) await bucket.putFile(key, path, await digestFile(path));
        });
        sent.set(key, going);
        going.catch(() => sent.delete(key));
      }
      return going;
    },
    replace: (key, path) => limit(async () => bucket.putFile(key, path, await digestFile(path))),
    find,
    get: async (key, path) => {
      if (!(await find(key, path))) throw new Error(`The store has no ${key}.`);
    },
    close: () => bucket.close(),
  };
}
