// The part of `node:zlib` that the service uses; the runtime provides it with `nodejs_compat`. A
// CompressionStream has no compression level, and is slow for small data.

declare module 'node:zlib' {
  export function deflateSync(
    bytes: Uint8Array,
    options: { readonly level: number },
  ): Uint8Array<ArrayBuffer>;
  export function inflateSync(
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number },
  ): Uint8Array<ArrayBuffer>;
}
