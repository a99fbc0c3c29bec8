/**
 * SHA-256 (FIPS 180-4) of bytes, as 64 hexadecimal digits in lower case. Handed in by whoever has a
 * platform: this folder has none.
 */
export type Digest = (bytes: Uint8Array) => Promise<string>;
