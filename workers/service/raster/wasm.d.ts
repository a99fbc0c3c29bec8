// The type of an imported WebAssembly file on the platform.

declare module '*.wasm' {
  const module: WebAssembly.Module;
  // biome-ignore lint/style/noDefaultExport: so the platform gives it
  export default module;
}
