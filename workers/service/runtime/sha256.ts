import { hexOf } from './hex.ts';

/** @returns SHA-256 as 64 lower-case hexadecimal digits */
export async function sha256(bytes: Uint8Array | ArrayBuffer): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource)));
}
