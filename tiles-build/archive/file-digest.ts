// Length and SHA-256 of a file or a stream.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A file's length and SHA-256 (hexadecimal). */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** @throws Error (for example ENOENT) if the file cannot be read */
export function digestFile(path: string): Promise<FileDigest> {
  return digestStream(createReadStream(path, { highWaterMark: 1 << 20 }));
}

export async function digestStream(chunks: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** SHA-256 of bytes. Passed to code in `shared/`, which has no platform APIs. */
export const sha256 = async (bytes: Uint8Array): Promise<string> =>
  createHash('sha256').update(bytes).digest('hex');

export function digestText(text: string): FileDigest {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
