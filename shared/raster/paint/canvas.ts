// An instance of the canvas with its memory.

import type { IndexedRows } from '../png.ts';
import { CanvasArtwork } from './canvas-artwork.ts';
import type { CanvasExports } from './canvas-exports.ts';
import { CommandBuffer } from './command-buffer.ts';
import { SIDE } from './commands.ts';

export class Canvas {
  readonly #exports: CanvasExports;
  /** Pixels of the tile, row by row: red, green, blue, 255. */
  readonly pixels: Uint8ClampedArray;
  readonly commands: CommandBuffer;
  readonly artwork: CanvasArtwork;

  constructor(exports: CanvasExports) {
    this.#exports = exports;
    const { memory, PIXELS } = exports;
    this.pixels = new Uint8ClampedArray(memory.buffer, PIXELS.value, 4 * SIDE * SIDE);
    this.commands = new CommandBuffer(exports);
    this.artwork = new CanvasArtwork(exports, this.commands);
  }

  /** Make every pixel black. */
  clear(): void {
    this.#exports.clear();
  }

  /**
   * Reduce the pixels to at most 256 colours. The result is valid until the next use of the canvas.
   */
  reduce(): IndexedRows {
    const { memory, ROWS, PALETTE } = this.#exports;
    const colors = this.#exports.reduceColors();
    const bits = colors <= 2 ? 1 : colors <= 4 ? 2 : colors <= 16 ? 4 : 8;
    const length = bits === 8 ? SIDE * (SIDE + 1) : this.#exports.packRows(bits);
    return {
      bits,
      palette: new Uint8Array(memory.buffer, PALETTE.value, 3 * colors),
      rows: new Uint8Array(memory.buffer, ROWS.value, length),
    };
  }
}
