// The one part of `node:zlib` that is used, as the runtime gives it with `nodejs_compat`: its own
// streams know no level.

declare module 'node:zlib' {
  export function deflateSync(
    bytes: Uint8Array,
    options: { readonly level: number },
  ): Uint8Array<ArrayBuffer>;
}
