// The operations that publishing needs from a bucket. Implementations: a folder, the local R2
// bucket, S3 and wrangler.

import type { FileDigest } from '../archive/file-digest.ts';

export interface Bucket {
  /** Length and SHA-256 of the stored bytes, or `undefined` if the object does not exist. */
  digest(key: string): Promise<FileDigest | undefined>;
  readText(key: string): Promise<string | undefined>;
  /** Store a file. Buckets that support checksums reject bytes that do not match `expected`. */
  putFile(key: string, path: string, expected: FileDigest): Promise<void>;
  putText(key: string, text: string): Promise<void>;
  /** Keys with this prefix, in any order, or `undefined` if the bucket cannot be listed. */
  list(prefix: string): Promise<readonly string[] | undefined>;
  /** Delete an object. Does nothing if it does not exist. */
  delete(key: string): Promise<void>;
  /**
   * End unfinished uploads, except those that may still be resumed.
   *
   * @param isKept whether an upload of this key may be resumed
   * @returns keys of the ended uploads
   */
  abandonUploads(isKept: (key: string) => boolean): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A bucket whose objects can be downloaded to files. */
export interface FileBucket extends Bucket {
  /** Download an object to a file, atomically. @returns false if the object does not exist */
  getFile(key: string, path: string): Promise<boolean>;
}

/** The bucket cannot be reached or refuses access. A retry or other keys may succeed. */
export class BucketUnavailable extends Error {}

/** Name of the bucket with published charts, and its binding in the Worker. */
export const BUCKET_NAME = 'leadline-charts';
export const BUCKET_BINDING = 'TILES';
