// What the platform makes of an imported WebAssembly file.

declare module '*.wasm' {
  const module: WebAssembly.Module;
  // biome-ignore lint/style/noDefaultExport: so the platform gives it
  export default module;
}
