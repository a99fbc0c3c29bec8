// The part of `node:crypto` that the service uses; the runtime provides it with `nodejs_compat`.
// Web Crypto has no incremental digests.

declare module 'node:crypto' {
  export function createHash(algorithm: 'sha256'): {
    update(bytes: Uint8Array): unknown;
    digest(as: 'hex'): string;
  };
}
