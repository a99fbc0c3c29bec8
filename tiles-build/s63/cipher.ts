// Blowfish in ECB mode with the padding of RFC 1423, as S-63 uses it (clause 3.2.3). Node's crypto has
// Blowfish only in its legacy provider, so a library is used.

import { Blowfish } from 'egoroof-blowfish';

const BLOCK_BYTES = 8;

/** The last ciphers. The schedule of a key takes a millisecond, and all records of a permit have one key. */
const ciphers = new Map<string, Blowfish>();
const MOST_CIPHERS = 8;

function cipherOf(key: Uint8Array, padding: number): Blowfish {
  const name = `${padding} ${Buffer.from(key).toString('hex')}`;
  const known = ciphers.get(name);
  if (known !== undefined) return known;
  if (ciphers.size >= MOST_CIPHERS) ciphers.clear();
  const cipher = new Blowfish(key, Blowfish.MODE.ECB, padding);
  ciphers.set(name, cipher);
  return cipher;
}

/** Encrypt bytes. The result is 1 to 8 bytes longer, to whole blocks. @param key 5 or 6 bytes */
export function encrypt(bytes: Uint8Array, key: Uint8Array): Uint8Array {
  return cipherOf(key, Blowfish.PADDING.PKCS5).encode(bytes);
}

/**
 * Decrypt whole blocks and remove the padding.
 * @returns undefined if the length is not a multiple of 8, or the padding is wrong
 */
export function decrypt(bytes: Uint8Array, key: Uint8Array): Uint8Array | undefined {
  if (bytes.length === 0 || bytes.length % BLOCK_BYTES !== 0) return undefined;
  const plain = decryptBlocks(bytes, key);
  const added = plain.at(-1)!;
  if (added < 1 || added > BLOCK_BYTES) return undefined;
  const end = plain.length - added;
  return plain.subarray(end).every((byte) => byte === added) ? plain.subarray(0, end) : undefined;
}

/** Decrypt the first block only, to recognize the right key. */
export function firstBlock(bytes: Uint8Array, key: Uint8Array): Uint8Array {
  return decryptBlocks(bytes.subarray(0, BLOCK_BYTES), key);
}

function decryptBlocks(bytes: Uint8Array, key: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  // The library removes zeros at the end, which are data here.
  const cipher = cipherOf(key, Blowfish.PADDING.NULL);
  plain.set(cipher.decode(bytes, Blowfish.TYPE.UINT8_ARRAY));
  return plain;
}
