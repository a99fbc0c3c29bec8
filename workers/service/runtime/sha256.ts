import { hexOf } from './hex.ts';

/** SHA-256 of bytes, as 64 hexadecimal digits in lower case. */
export async function sha256(bytes: Uint8Array | ArrayBuffer): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource)));
}
