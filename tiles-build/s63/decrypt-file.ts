// Decrypts a chart file and unpacks its zip (S-63 edition 1.2.1, clauses 2 and 10.7.3).

import type { Problem } from '../../shared/s57/cell/cell.ts';
import { unzipSingle } from '../exchange-set/zip.ts';
import { decrypt, firstBlock } from './cipher.ts';
import { sse } from './sse.ts';

/** The signature of a local file header, with which a zip begins. */
const ZIP_MAGIC = 0x04034b50;
/** A leader of ISO 8211: the length of the record, and the level and kind of the file. */
const LEADER = /^\d{5}[ 123][A-Z]/;

/** Whether bytes are a chart file that is not encrypted. */
export const isPlain = (bytes: Uint8Array): boolean =>
  LEADER.test(Buffer.from(bytes.subarray(0, 8)).toString('latin1'));

/**
 * The key of a file: CK1, or CK2 if CK1 does not fit.
 * @returns SSE 21 if no key fits
 */
export function keyOfFile(bytes: Uint8Array, keys: readonly Uint8Array[]): Uint8Array | Problem {
  if (bytes.length < 8 || bytes.length % 8 !== 0) {
    return sse(21, { found: `The file has ${bytes.length} bytes, which is no multiple of 8` });
  }
  const key = keys.find((one) => {
    const block = firstBlock(bytes, one);
    return new DataView(block.buffer).getUint32(0, true) === ZIP_MAGIC;
  });
  return key ?? sse(21);
}

/**
 * The bytes of the chart file.
 * @returns SSE 16 if the zip is damaged
 */
export async function decryptFile(
  bytes: Uint8Array,
  key: Uint8Array,
): Promise<Uint8Array | Problem> {
  const zip = decrypt(bytes, key);
  if (zip === undefined) return sse(16, { found: 'The end of the file is damaged' });
  try {
    return await unzipSingle(zip);
  } catch (error) {
    return sse(16, { found: `The zip cannot be unpacked: ${(error as Error).message}` });
  }
}
