// An image repeated over an area, from the world's corner.

import { TILE_PIXELS } from '../display-list.ts';
import type { SpriteImage } from '../sprite.ts';
import type { Surface } from './surface.ts';

const SIZE = TILE_PIXELS;

/**
 * One fill with an image. It lies over few colours, so what each pixel of the image made of the
 * colour beneath is remembered: most pixels of a tile are looked up, and few are blended.
 */
export class Pattern {
  readonly #surface: Surface;
  readonly #image: SpriteImage;
  readonly #originX: number;
  readonly #originY: number;
  /** By pixel of the image: the word beneath when it was last blended, and what became of it. */
  readonly #beneath: Uint32Array;
  readonly #blended: Uint32Array;

  /** @param originX,originY the tile's corner in pixels of the world */
  constructor(surface: Surface, image: SpriteImage, originX: number, originY: number) {
    this.#surface = surface;
    this.#image = image;
    this.#originX = originX;
    this.#originY = originY;
    // Words of the surface are opaque: none of them is 0.
    this.#beneath = new Uint32Array(image.width * image.height);
    this.#blended = new Uint32Array(image.width * image.height);
  }

  /** Pixels of a row from `from` up to, not including, `to`; within the tile. */
  fillSpan(row: number, from: number, to: number): void {
    const { width, height, pixels } = this.#image;
    const surface = this.#surface;
    const { words } = surface;
    const beneath = this.#beneath;
    const blended = this.#blended;
    const imageRow = ((this.#originY + row) % height) * width;
    let column = (this.#originX + from) % width;
    const end = row * SIZE + to;
    for (let pixel = row * SIZE + from; pixel < end; pixel++) {
      const at = imageRow + column;
      if (++column === width) column = 0;
      const word = words[pixel]!;
      if (beneath[at] === word) {
        words[pixel] = blended[at]!;
        continue;
      }
      const i = 4 * at;
      surface.blend(pixel, pixels[i]!, pixels[i + 1]!, pixels[i + 2]!, pixels[i + 3]! / 255);
      beneath[at] = word;
      blended[at] = words[pixel]!;
    }
  }
}
