// The type of an imported data file on the platform.

declare module '*.bin' {
  const bytes: ArrayBuffer;
  // biome-ignore lint/style/noDefaultExport: so the platform gives it
  export default bytes;
}
