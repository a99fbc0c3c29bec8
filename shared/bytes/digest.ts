/**
 * SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits. The caller provides the function,
 * because `shared` uses no platform APIs.
 */
export type Digest = (bytes: Uint8Array) => Promise<string>;
