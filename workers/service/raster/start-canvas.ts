// The canvas in WebAssembly, as the platform compiled it.

import type { CanvasExports, StartCanvas } from '../../../shared/raster/paint/canvas-exports.ts';

/** What makes instances of it. Made from `shared/raster/canvas` by `local/build-canvas.ts`. */
export async function canvasStarter(): Promise<StartCanvas> {
  const { default: module } = await import('../../../dist/wasm/canvas.wasm');
  return () => new WebAssembly.Instance(module, {}).exports as unknown as CanvasExports;
}
