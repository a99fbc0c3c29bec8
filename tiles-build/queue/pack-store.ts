// The shared store for files of jobs: a folder or bucket that all machines can reach. Files are
// named by content and never change.

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { digestFile } from '../archive/file-digest.ts';
import type { FileBucket } from '../publish/bucket.ts';
import { openFolderBucket } from '../publish/folder-bucket.ts';
import { s3Settings } from '../publish/s3-settings.ts';

/** Maximum number of concurrent transfers. */
const AT_ONCE = 8;

export interface PackStore {
  /**
   * Identifies the store on all machines. Processes with a different store take none of its jobs.
   */
  readonly place: string;
  /** Content-based key of a cell file or zip. @throws Error if the file cannot be read */
  keyOfInput(path: string): Promise<string>;
  /** Upload a file unless the store has it. */
  put(key: string, path: string): Promise<void>;
  /** Upload a file even if the store had it: the store may have been emptied meanwhile. */
  replace(key: string, path: string): Promise<void>;
  /**
   * Download a file to `path` unless it exists there. @throws Error if the store does not have it
   */
  get(key: string, path: string): Promise<void>;
  /** Like `get`, but returns false if the store does not have the file. */
  find(key: string, path: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Key of a file in the build cache, whose name already identifies its content. */
export const keyOfCached = (path: string): string => `${basename(dirname(path))}/${basename(path)}`;

/** Local path of a store file. */
export const pathOfKey = (folder: string, key: string): string => join(folder, ...key.split('/'));

/** Key prefix of a background's files. */
export const folderKey = (digest: string): string => `backgrounds/${digest}`;

/**
 * Open a store.
 *
 * @param place a folder or `s3://bucket`, spelled alike on all machines; address and keys come from
 * the AWS environment variables
 * @throws BucketSettingsMissing if a variable is missing
 */
export async function openPackStore(
  place: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<PackStore> {
  const bucketName = /^s3:\/\/([^/]+)\/?$/.exec(place)?.[1];
  if (bucketName === undefined) return packStore(resolve(place), openFolderBucket(place));
  // The S3 client is large, so it is only loaded here.
  const { openS3Bucket } = await import('../publish/s3-bucket.ts');
  return packStore(place, openS3Bucket(s3Settings(bucketName, undefined, environment)));
}

export function packStore(place: string, bucket: FileBucket): PackStore {
  const limit = pLimit(AT_ONCE);
  /** Uploads and downloads in progress or done, so that no file is transferred twice. */
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
      if (!(await find(key, path))) throw new Error(`${key} is missing from the store.`);
    },
    close: () => bucket.close(),
  };
}
