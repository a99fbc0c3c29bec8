// How finished tiles are zipped, and how they wait in packs for their archive.

import { gzipSync } from 'node:zlib';
import { HASH_BYTES } from './content-index.ts';
import { contentHash } from './pmtiles-writer.ts';

/** zlib's default: a tenth more bytes than 9, in half the time. */
const LEVEL = 6;

/** What only the build itself reads again, and holds much that is deflated already. */
const QUICK_LEVEL = 1;

export function zipTile(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: LEVEL });
}

export function zipInterim(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: QUICK_LEVEL });
}

/** A finished tile behind its content hash, so that whoever writes archives need not hash. */
export function withHash(tile: Uint8Array): Uint8Array {
  return Buffer.concat([contentHash(tile), tile]);
}

export function splitHash(bytes: Uint8Array): {
  readonly hash: Uint8Array;
  readonly tile: Uint8Array;
} {
  return { hash: bytes.subarray(0, HASH_BYTES), tile: bytes.subarray(HASH_BYTES) };
}
