// The pixels of one tile while they are painted: opaque, red, green, blue and 255 by fours.

import { type Ink, TILE_PIXELS } from '../display-list.ts';

const SIZE = TILE_PIXELS;

export class Surface {
  readonly bytes = new Uint8ClampedArray(SIZE * SIZE * 4);
  /** The same pixels as whole words, for plain fills. */
  readonly words = new Uint32Array(this.bytes.buffer);

  /** Forget everything: black. */
  clear(): void {
    this.words.fill(wordOf(0, 0, 0));
  }

  /** Pixels of a row from `from` up to, not including, `to`; within the tile. */
  fillSpan(row: number, from: number, to: number, ink: Ink): void {
    const start = row * SIZE;
    if (ink.alpha >= 1) {
      this.words.fill(wordOf(ink.red, ink.green, ink.blue), start + from, start + to);
      return;
    }
    this.blendSpan(row, from, to, ink, ink.alpha);
  }

  /**
   * Lay a colour over pixels of a row. Neighbours are mostly alike, so that what the last became is
   * what the next becomes.
   */
  blendSpan(row: number, from: number, to: number, ink: Ink, alpha: number): void {
    const { words } = this;
    // Words are opaque: none of them is 0.
    let beneath = 0;
    let blended = 0;
    for (let pixel = row * SIZE + from; pixel < row * SIZE + to; pixel++) {
      const word = words[pixel]!;
      if (word === beneath) {
        words[pixel] = blended;
        continue;
      }
      this.blend(pixel, ink.red, ink.green, ink.blue, alpha);
      beneath = word;
      blended = words[pixel]!;
    }
  }

  /** Lay a colour over a pixel. @param alpha 0 to 1 */
  blend(pixel: number, red: number, green: number, blue: number, alpha: number): void {
    const { bytes } = this;
    const i = pixel * 4;
    bytes[i] = bytes[i]! + (red - bytes[i]!) * alpha;
    bytes[i + 1] = bytes[i + 1]! + (green - bytes[i + 1]!) * alpha;
    bytes[i + 2] = bytes[i + 2]! + (blue - bytes[i + 2]!) * alpha;
  }
}

/** A pixel as a word. Every machine this runs on stores the lowest byte first. */
const wordOf = (red: number, green: number, blue: number): number =>
  (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
