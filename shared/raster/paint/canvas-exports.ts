// Exports of the WebAssembly canvas compiled from `../canvas`.

/** An address in bytes. */
interface Address {
  readonly value: number;
}

export interface CanvasExports {
  /** Fixed size, so that views stay valid for the lifetime of the instance. */
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly PIXELS: Address;
  readonly COMMANDS: Address;
  readonly ARTWORK: Address;
  readonly ROWS: Address;
  readonly PALETTE: Address;
  /** Make every pixel black. */
  clear(): void;
  /**
   * Execute the commands in the buffer; `words` is their length in 32-bit words (`commands.ts`).
   */
  run(words: number): void;
  /** Make a letter's mask from its field (`../canvas/letter.ts`). @returns size in bytes, or 0 */
  makeMask(
    into: number,
    field: number,
    size: number,
    grow: number,
    cos: number,
    sin: number,
    x: number,
    y: number,
  ): number;
  /** Reduce the pixels to a palette and rows of indices. @returns number of colours */
  reduceColors(): number;
  /** Pack the rows into fewer bits per index. @returns size of all rows in bytes */
  packRows(bits: number): number;
}

/** Creates an instance of the canvas, at the start and after each trap. */
export type StartCanvas = () => CanvasExports;
