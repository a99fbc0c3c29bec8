// Boxes found by place: a plain grid, so that a nation of thousands of cells is not compared each
// with each.

import { type Box, boxesMeet } from '../../shared/geo/clip-box.ts';

export class BoxGrid<T extends { readonly box: Box }> {
  readonly #cells = new Map<string, T[]>();
  readonly #large: T[] = [];
  readonly #size: number;

  /** @param size side of a grid square, in the units of the boxes */
  constructor(items: readonly T[], size: number) {
    this.#size = size;
    for (const item of items) {
      const keys = this.#keysOf(item.box);
      if (keys === undefined) this.#large.push(item);
      else {
        for (const key of keys) {
          const list = this.#cells.get(key);
          if (list === undefined) this.#cells.set(key, [item]);
          else list.push(item);
        }
      }
    }
  }

  /** Items whose boxes meet or touch a box, each once, in the order they were given in. */
  meeting(box: Box): T[] {
    const keys = this.#keysOf(box) ?? [...this.#cells.keys()];
    const found = new Set<T>(this.#large);
    for (const key of keys) for (const item of this.#cells.get(key) ?? []) found.add(item);
    return [...found].filter((item) => boxesMeet(item.box, box));
  }

  /** Squares a box touches; undefined for a box of very many. */
  #keysOf(box: Box): string[] | undefined {
    const left = Math.floor(box.left / this.#size);
    const right = Math.floor(box.right / this.#size);
    const top = Math.floor(box.top / this.#size);
    const bottom = Math.floor(box.bottom / this.#size);
    if ((right - left + 1) * (bottom - top + 1) > 400) return undefined;
    const keys: string[] = [];
    for (let x = left; x <= right; x++) for (let y = top; y <= bottom; y++) keys.push(`${x}/${y}`);
    return keys;
  }
}
