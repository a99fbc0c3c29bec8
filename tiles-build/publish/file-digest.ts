// Length and SHA-256 of a file or a stream, read once and in pieces.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ObjectDigest } from './bucket.ts';

/** @throws Error (ENOENT and the like) where the file cannot be read */
export function digestFile(path: string): Promise<ObjectDigest> {
  return digestStream(createReadStream(path, { highWaterMark: 1 << 20 }));
}

export async function digestStream(chunks: AsyncIterable<Uint8Array>): Promise<ObjectDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

export function digestText(text: string): ObjectDigest {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
