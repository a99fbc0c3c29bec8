// What publishing asks of a bucket, and nothing more: so that publishing itself is written once for
// folders, the local bucket, every S3 and the tests.

import type { FileDigest } from '../archive/file-digest.ts';

export interface Bucket {
  /** The stored bytes, read back and hashed; undefined where there is no such object. */
  digest(key: string): Promise<FileDigest | undefined>;
  readText(key: string): Promise<string | undefined>;
  /** Store a file. Buckets that can are told the hash and refuse other bytes. */
  putFile(key: string, path: string, expected: FileDigest): Promise<void>;
  putText(key: string, text: string): Promise<void>;
  /** Keys that begin with a prefix, in any order; undefined where the bucket cannot be listed. */
  list(prefix: string): Promise<readonly string[] | undefined>;
  /** One that is not there is no error. */
  delete(key: string): Promise<void>;
  /**
   * Clear away what uploads left that were killed, but of the keys that are kept.
   *
   * @param isKept whether an upload of this key may still be continued
   * @returns keys of the uploads that were ended
   */
  abandonUploads(isKept: (key: string) => boolean): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A bucket whose objects can be had as files too. */
export interface FileBucket extends Bucket {
  /** Write an object to a file, which appears whole or not at all. @returns false where there is none */
  getFile(key: string, path: string): Promise<boolean>;
}

/** A bucket that refuses, or cannot be reached: asked again later, or with other keys, it may answer. */
export class BucketUnavailable extends Error {}

/** Name of the bucket that holds published charts, and of its binding in the Worker. */
export const BUCKET_NAME = 'leadline-charts';
export const BUCKET_BINDING = 'TILES';
