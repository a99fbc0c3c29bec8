// Writes commands into the canvas's memory and executes them when the buffer is full.

import type { Ink, Path } from '../display-list.ts';
import type { CanvasExports } from './canvas-exports.ts';
import * as command from './commands.ts';

/** Maximum number of coordinates per command. Longer paths are split. */
const MAX_NUMBERS = command.COMMAND_WORDS / 2;

export class CommandBuffer {
  readonly #canvas: CanvasExports;
  readonly #words: Int32Array;
  readonly #floats: Float32Array;
  /** Number of written words. */
  #at = 0;
  #ink: Ink | undefined;

  constructor(canvas: CanvasExports) {
    const { memory, COMMANDS } = canvas;
    this.#canvas = canvas;
    this.#words = new Int32Array(memory.buffer, COMMANDS.value, command.COMMAND_WORDS);
    this.#floats = new Float32Array(memory.buffer, COMMANDS.value, command.COMMAND_WORDS);
  }

  /** Execute the written commands. */
  run(): void {
    const words = this.#at;
    this.#at = 0;
    if (words > 0) this.#canvas.run(words);
  }

  /** Add a command with integers, then floats. */
  add(name: number, integers: readonly number[], floats: readonly number[] = []): void {
    const at = this.#begin(name, integers.length + floats.length);
    this.#words.set(integers, at);
    this.#floats.set(floats, at + integers.length);
  }

  /** Draw a letter with a cached mask. Avoids the array of `add`, because letters are frequent. */
  letter(mask: number, column: number, row: number): void {
    const at = this.#begin(command.LETTER, 3);
    this.#words[at] = mask;
    this.#words[at + 1] = column;
    this.#words[at + 2] = row;
  }

  /** Set the ink of the following commands. */
  ink(ink: Ink): void {
    if (ink === this.#ink) return;
    this.#ink = ink;
    this.add(command.INK, [ink.red, ink.green, ink.blue], [ink.alpha]);
  }

  /**
   * Add the edges of a ring, starting with the closing one. @param name SMOOTH_EDGES or FLAT_EDGES
   */
  ring(name: number, path: Path): void {
    const { length } = path;
    let before = length - 2;
    for (let from = 0; from < length; ) {
      const taken = Math.min(length - from, MAX_NUMBERS);
      const at = this.#begin(name, 3 + taken);
      this.#words[at] = taken / 2 + 1;
      this.#floats[at + 1] = path[before]!;
      this.#floats[at + 2] = path[before + 1]!;
      this.#floats.set(taken === length ? path : path.subarray(from, from + taken), at + 3);
      from += taken;
      before = from - 2;
    }
  }

  /** Draw a line with the pen. */
  line(path: Path): void {
    const { length } = path;
    for (let from = 0; from < length; ) {
      const taken = Math.min(length - from, MAX_NUMBERS);
      const at = this.#begin(command.LINE, 2 + taken);
      this.#words[at] =
        (from === 0 ? command.IS_FIRST : 0) | (from + taken === length ? command.IS_LAST : 0);
      this.#words[at + 1] = taken / 2;
      this.#floats.set(taken === length ? path : path.subarray(from, from + taken), at + 2);
      from += taken;
    }
  }

  /** Reserves the words of a command. @returns the position of the first */
  #begin(name: number, words: number): number {
    if (this.#at + 1 + words > command.COMMAND_WORDS) this.run();
    this.#words[this.#at] = name;
    const at = this.#at + 1;
    this.#at = at + words;
    return at;
  }
}
