// What the canvas, compiled from `../canvas`, gives to whoever started it.

/** A place in its memory: an address in bytes. */
interface Address {
  readonly value: number;
}

export interface CanvasExports {
  /** Of a fixed size, so that views of it stay good as long as the instance does. */
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly PIXELS: Address;
  readonly COMMANDS: Address;
  readonly ARTWORK: Address;
  readonly ROWS: Address;
  readonly PALETTE: Address;
  /** Make every pixel black. */
  clear(): void;
  /** Do the commands in the buffer, so many words of 32 bits (`commands.ts`). */
  run(words: number): void;
  /** A letter's mask from its field (`../canvas/letter.ts`). @returns its bytes, 0 for none */
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
  /** Reduce the pixels to a palette and rows of indices. @returns how many colours there are */
  reduceColors(): number;
  /** Pack the rows into fewer bits an index. @returns bytes of all rows */
  packRows(bits: number): number;
}

/** Makes an instance of the canvas: at the start, and after a trap another. */
export type StartCanvas = () => CanvasExports;
