// Packed data that unpack to more than they should, or to other than they were.

import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzip, inflate } from '../../workers/service/runtime/gzip.ts';

const MEBI = 2 ** 20;

test('a small file that unpacks to 64 MB is refused on the way', async () => {
  const packed = gzipSync(Buffer.alloc(64 * MEBI));
  expect(packed.length).toBeLessThan(MEBI);
  await expect(gunzip(packed)).rejects.toBeInstanceOf(RangeError);
  expect(() => inflate(deflateSync(Buffer.alloc(64 * MEBI)))).toThrow(RangeError);
});

test('rejects data with a wrong checksum, and truncated data', async () => {
  const packed = gzipSync(Buffer.from('a tile of the sea'));
  expect(Buffer.from(await gunzip(packed)).toString()).toBe('a tile of the sea');
  for (let at = packed.length - 8; at < packed.length; at++) {
    const harmed = new Uint8Array(packed);
    harmed[at]! ^= 1;
    await expect(gunzip(harmed)).rejects.toThrow();
  }
  await expect(gunzip(packed.subarray(0, -3))).rejects.toThrow();
  await expect(gunzip(new Uint8Array(0))).rejects.toThrow();
});

test('rejects a damaged or truncated square of the sea', () => {
  const packed = deflateSync(Buffer.from('a square of the sea'));
  expect(Buffer.from(inflate(packed)).toString()).toBe('a square of the sea');
  const harmed = new Uint8Array(packed);
  harmed[harmed.length - 1]! ^= 1;
  expect(() => inflate(harmed)).toThrow();
  expect(() => inflate(packed.subarray(0, -3))).toThrow();
});
