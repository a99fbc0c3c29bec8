// What publishing asks of a bucket, and nothing more: so that publishing itself is written once for
// the local bucket, the real one and the tests.

/** An object's length and SHA-256 (hexadecimal), computed from the bytes as the bucket gives them. */
export interface ObjectDigest {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Bucket {
  /** The stored bytes, read back and hashed; undefined where there is no such object. */
  digest(key: string): Promise<ObjectDigest | undefined>;
  readText(key: string): Promise<string | undefined>;
  /** Store a file. Buckets that can are told the hash and refuse other bytes. */
  putFile(key: string, path: string, expected: ObjectDigest): Promise<void>;
  putText(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Name of the bucket that holds published charts, and of its binding in the Worker. */
export const BUCKET_NAME = 'leadline-charts';
export const BUCKET_BINDING = 'TILES';
