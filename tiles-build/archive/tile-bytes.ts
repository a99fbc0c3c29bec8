// Compression of tiles and of intermediate records.

import { gzipSync } from 'node:zlib';
import { contentHash, HASH_BYTES } from './pmtiles-writer.ts';

/** At most 1 % larger than zlib's default level 6, in two thirds of the time (measured per tileset). */
const LEVEL = 5;

export function zipTile(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: LEVEL });
}

/** Prefix a finished tile with its content hash, so that the archive writer does not compute it. */
export function withHash(tile: Uint8Array): Uint8Array {
  return Buffer.concat([contentHash(tile), tile]);
}

export function splitHash(bytes: Uint8Array): {
  readonly hash: Uint8Array;
  readonly tile: Uint8Array;
} {
  return { hash: bytes.subarray(0, HASH_BYTES), tile: bytes.subarray(HASH_BYTES) };
}
