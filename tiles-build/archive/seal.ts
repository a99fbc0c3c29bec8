// Seals files of a build with a key of the deployment: AES-256-GCM, with the nonce before the text and the
// tag after it. Charts under a licence may be on a disk in this form only.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Environment variable with the key: 32 bytes as 64 hexadecimal digits. Workers read it too. */
export const SEAL_SETTING = 'LEADLINE_S63_CACHE_KEY';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key is malformed or absent, or bytes were sealed with another key. */
export class SealBroken extends Error {}

/** The key; undefined if none is set. @throws SealBroken if it is malformed */
export function sealKey(): Buffer | undefined {
  const text = process.env[SEAL_SETTING]?.trim() ?? '';
  if (text === '') return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  throw new SealBroken(`${SEAL_SETTING} is malformed. Expected 64 hexadecimal digits.`);
}

/** Names the key without revealing it; empty if none is set. */
export function sealName(): string {
  const key = sealKey();
  return key === undefined ? '' : createHash('sha256').update('seal').update(key).digest('hex');
}

/** @throws SealBroken if no key is set */
export function seal(bytes: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, demandKey(), nonce);
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** @throws SealBroken if no key is set, or the bytes were changed or sealed with another key */
export function unseal(bytes: Uint8Array): Uint8Array {
  const key = demandKey();
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return new Uint8Array(Buffer.concat([text, decipher.final()]));
  } catch {
    throw new SealBroken(`The bytes were changed, or sealed with another ${SEAL_SETTING}.`);
  }
}

function demandKey(): Buffer {
  const key = sealKey();
  if (key === undefined) throw new SealBroken(`Set ${SEAL_SETTING} to read sealed charts.`);
  return key;
}
