// The canvas of the raster tiles, compiled if its sources have changed.

import { readFileSync } from 'node:fs';
import type { DisplayItem } from '../../shared/raster/display-list.ts';
import type { CanvasExports, StartCanvas } from '../../shared/raster/paint/canvas-exports.ts';
import { Painter } from '../../shared/raster/paint/paint.ts';
import { buildCanvas } from '../../workers/host/bundle/build-canvas.ts';
import { ROOT } from './source-files.ts';

const compiled = new WebAssembly.Module(readFileSync(await buildCanvas(ROOT)));

export const startCanvas: StartCanvas = () =>
  new WebAssembly.Instance(compiled, {}).exports as unknown as CanvasExports;

/** A painter that has neither symbols nor letters. */
export const barePainter = (): Painter =>
  new Painter({ images: () => undefined, glyphs: () => new Map() }, startCanvas);

/** The reds that items leave on black, by pixel. */
export function redsOf(painter: Painter, items: readonly DisplayItem[]): Uint8Array {
  const pixels = painter.paint({ items, originX: 0, originY: 0 });
  const reds = new Uint8Array(pixels.length / 4);
  for (let i = 0; i < reds.length; i++) reds[i] = pixels[4 * i]!;
  return reds;
}
