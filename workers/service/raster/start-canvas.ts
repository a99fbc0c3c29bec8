// The WebAssembly canvas, compiled by the platform.

import type { CanvasExports, StartCanvas } from '../../../shared/raster/paint/canvas-exports.ts';

/** The compiled module. Built from `shared/raster/canvas` by `workers/host/bundle/build-canvas.ts`. */
export async function canvasStarter(): Promise<StartCanvas> {
  const { default: module } = await import('../../../dist/wasm/canvas.wasm');
  return () => new WebAssembly.Instance(module, {}).exports as unknown as CanvasExports;
}
