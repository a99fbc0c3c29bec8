// The shown marks of a window, indexed by the raster tiles that they reach. The four tiles around a
// corner of blocks share a window, so this runs once for them.

import type { SetBlock, SetMark } from './block.ts';
import { MARK_MARGIN_PIXELS, TILE_PIXELS } from './display-list.ts';
import { placeMarks } from './place-marks.ts';

/** Marks in drawing order, positioned relative to the corner of the window's first block. */
export class WindowMarks {
  /** Number of tiles along each side of the window. */
  readonly #across: number;
  readonly #down: number;
  /** Marks by tile of the window, row by row. */
  readonly #byTile: SetMark[][];
  /** Number of stored references, one per mark and tile. */
  readonly length: number;

  /** @param blockPixels side of a block */
  constructor(blocks: readonly SetBlock[], blockPixels: number) {
    const { left, top } = blocks[0]!;
    const fromFirst = blocks.map((one) => ({ ...one, left: one.left - left, top: one.top - top }));
    const last = fromFirst.at(-1)!;
    this.#across = (last.left + blockPixels) / TILE_PIXELS;
    this.#down = (last.top + blockPixels) / TILE_PIXELS;
    this.#byTile = Array.from({ length: this.#across * this.#down }, () => []);
    for (const mark of placeMarks(fromFirst, blockPixels)) this.#add(mark);
    this.length = this.#byTile.reduce((sum, { length }) => sum + length, 0);
  }

  /** Marks that reach the tile at this offset from the first block. */
  reaching(x: number, y: number): readonly SetMark[] {
    return this.#byTile[(y / TILE_PIXELS) * this.#across + x / TILE_PIXELS]!;
  }

  #add(set: SetMark): void {
    const { left, top } = set;
    const { boxes } = set.mark;
    for (let i = 0; i < boxes.length; i += 4) {
      const right = lastReached(boxes[i + 2]! + left, this.#across);
      const bottom = lastReached(boxes[i + 3]! + top, this.#down);
      for (let row = firstReached(boxes[i + 1]! + top); row <= bottom; row++) {
        for (let column = firstReached(boxes[i]! + left); column <= right; column++) {
          const marks = this.#byTile[row * this.#across + column]!;
          // Letters along a line have one box each.
          if (marks.at(-1) !== set) marks.push(set);
        }
      }
    }
  }
}

/** First tile in a row that a box with this start reaches. */
const firstReached = (from: number): number =>
  Math.max(0, Math.floor((from - MARK_MARGIN_PIXELS) / TILE_PIXELS));

/** Last tile in a row that a box with this end reaches. */
const lastReached = (to: number, tiles: number): number =>
  Math.min(tiles, Math.ceil((to + MARK_MARGIN_PIXELS) / TILE_PIXELS)) - 1;
