// Raster tiles meet at the middle lines of a block. Tiles on both sides of such a line share the
// blocks along it, but each also knows blocks that the other does not.

import type { SetBlock, SetMark } from './block.ts';
import { MARK_MARGIN_PIXELS, TILE_PIXELS } from './display-list.ts';

/**
 * Order in which places are decided: first places across vertical middle lines (the tiles above and
 * below have more blocks in common), then those across horizontal ones, then the rest.
 */
export const TURNS = ['vertical', 'horizontal', 'last'] as const;
export type Turn = (typeof TURNS)[number];

/** Marks of blocks that only one tile knows reach less than this into the common area. */
const UNSURE_PIXELS = 64;

export class BlockMiddles {
  readonly #left: number;
  readonly #top: number;
  readonly #blockPixels: number;

  /**
   * Blocks are squares of `blockPixels`. If this is the side of one tile, tiles meet only where
   * blocks do.
   */
  constructor(blocks: readonly SetBlock[], blockPixels: number) {
    this.#left = blocks[0]?.left ?? 0;
    this.#top = blocks[0]?.top ?? 0;
    this.#blockPixels = blockPixels;
  }

  /** The turn of a mark and its partner at a place. */
  turnOf(set: readonly SetMark[]): Turn {
    if (this.#blockPixels <= TILE_PIXELS) return 'last';
    let isAcross = false;
    for (const { mark, left, top } of set) {
      const { boxes } = mark;
      for (let i = 0; i < boxes.length; i += 4) {
        if (this.#crosses(boxes[i]! + left, boxes[i + 2]! + left, this.#left)) return 'vertical';
        isAcross ||= this.#crosses(boxes[i + 1]! + top, boxes[i + 3]! + top, this.#top);
      }
    }
    return isAcross ? 'horizontal' : 'last';
  }

  /**
   * Whether the tiles on both sides of a turn's middle lines know every mark that could overlap the
   * shifted boxes.
   */
  isSure(boxes: readonly number[], left: number, top: number, turn: Turn): boolean {
    const isVertical = turn === 'vertical';
    const [by, corner] = isVertical ? [left, this.#left] : [top, this.#top];
    for (let i = isVertical ? 0 : 1; i < boxes.length; i += 4) {
      const low = boxes[i]! + by - corner - UNSURE_PIXELS;
      const high = boxes[i + 2]! + by - corner + UNSURE_PIXELS;
      if (Math.floor(low / this.#blockPixels) !== Math.floor(high / this.#blockPixels)) {
        return false;
      }
    }
    return true;
  }

  #crosses(low: number, high: number, corner: number): boolean {
    const beyond = (at: number) => Math.floor((at - corner) / this.#blockPixels + 0.5);
    return beyond(low - MARK_MARGIN_PIXELS) !== beyond(high + MARK_MARGIN_PIXELS);
  }
}
