// What publishing asks of a bucket, and nothing more: so that publishing itself is written once for
// the local bucket, the real one and the tests.

import type { FileDigest } from '../archive/file-digest.ts';

export interface Bucket {
  /** The stored bytes, read back and hashed; undefined where there is no such object. */
  digest(key: string): Promise<FileDigest | undefined>;
  readText(key: string): Promise<string | undefined>;
  /** Store a file. Buckets that can are told the hash and refuse other bytes. */
  putFile(key: string, path: string, expected: FileDigest): Promise<void>;
  putText(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Name of the bucket that holds published charts, and of its binding in the Worker. */
export const BUCKET_NAME = 'leadline-charts';
export const BUCKET_BINDING = 'TILES';
