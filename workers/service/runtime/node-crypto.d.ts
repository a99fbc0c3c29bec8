// The one part of `node:crypto` that is used, as the runtime gives it with `nodejs_compat`: its own
// interface digests nothing piece by piece.

declare module 'node:crypto' {
  export function createHash(algorithm: 'sha256'): {
    update(bytes: Uint8Array): unknown;
    digest(as: 'hex'): string;
  };
}
