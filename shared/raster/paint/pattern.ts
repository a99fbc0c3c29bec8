// An image repeated over an area, from the world's corner.

import { TILE_PIXELS } from '../display-list.ts';
import type { SpriteImage } from '../sprite.ts';
import type { Surface } from './surface.ts';

const SIZE = TILE_PIXELS;

/**
 * Fills with one image. Where the colour beneath stays the same for longer than the image is wide,
 * one width is blended and copied on; and what each pixel of the image made of the colour beneath is
 * remembered for what comes.
 */
export class Pattern {
  readonly #surface: Surface;
  readonly #image: SpriteImage;
  #originX = 0;
  #originY = 0;
  /** By pixel of the image: the word beneath when it was last blended, and what became of it. */
  readonly #beneath: Uint32Array;
  readonly #blended: Uint32Array;

  constructor(surface: Surface, image: SpriteImage) {
    this.#surface = surface;
    this.#image = image;
    // Words of the surface are opaque: none of them is 0.
    this.#beneath = new Uint32Array(image.width * image.height);
    this.#blended = new Uint32Array(image.width * image.height);
  }

  /** @param x,y the tile's corner in pixels of the world */
  beginTile(x: number, y: number): void {
    this.#originX = x;
    this.#originY = y;
  }

  /** Pixels of a row from `from` up to, not including, `to`; within the tile. */
  fillSpan(row: number, from: number, to: number): void {
    const { words } = this.#surface;
    const end = row * SIZE + to;
    let pixel = row * SIZE + from;
    while (pixel < end) {
      const word = words[pixel]!;
      let next = pixel + 1;
      while (next < end && words[next] === word) next++;
      this.#fillAlike(row, pixel, next);
      pixel = next;
    }
  }

  /** Pixels of a row that are all of one colour. */
  #fillAlike(row: number, start: number, end: number): void {
    const { words } = this.#surface;
    const { width, height } = this.#image;
    const imageRow = ((this.#originY + row) % height) * width;
    let column = (this.#originX + start - row * SIZE) % width;
    const word = words[start]!;
    const once = Math.min(end, start + width);
    for (let pixel = start; pixel < once; pixel++) {
      words[pixel] = this.#over(word, imageRow + column, pixel);
      if (++column === width) column = 0;
    }
    for (let done = width; start + done < end; done *= 2) {
      words.copyWithin(start + done, start, Math.min(start + done, end - done));
    }
  }

  /** A pixel of the image over a colour. @param pixel of the surface, which has that colour */
  #over(word: number, at: number, pixel: number): number {
    if (this.#beneath[at] === word) return this.#blended[at]!;
    const { pixels } = this.#image;
    const i = 4 * at;
    const alpha = pixels[i + 3]! / 255;
    this.#surface.blend(pixel, pixels[i]!, pixels[i + 1]!, pixels[i + 2]!, alpha);
    this.#beneath[at] = word;
    this.#blended[at] = this.#surface.words[pixel]!;
    return this.#blended[at]!;
  }
}
