// Images, letter masks and fields in the canvas's memory. Each is copied once. When the memory is
// full, everything is discarded and copied again on demand.

import { GLYPH_BORDER, type Glyph } from '../glyphs.ts';
import type { SpriteImage } from '../sprite.ts';
import type { CanvasExports } from './canvas-exports.ts';
import type { CommandBuffer } from './command-buffer.ts';
import { ARTWORK_BYTES, IMAGE_HEADER_BYTES, SHAPE_HEADER_BYTES } from './commands.ts';

/** Em size of letter fields in pixels. */
const EM = 24;
/** Number of subpixel positions for which masks are cached. */
export const PHASES = 4;

/** Masks of one font, size and halo, by letter and subpixel position. */
export type MasksOfLook = Map<number, number>;

export class CanvasArtwork {
  readonly #canvas: CanvasExports;
  readonly #commands: CommandBuffer;
  readonly #bytes: Uint8Array;
  readonly #integers: Int32Array;
  /** Addresses by image. */
  readonly #images = new Map<SpriteImage, number>();
  readonly #patterns = new Map<SpriteImage, number>();
  readonly #fields = new Map<Glyph, number>();
  readonly #looks = new Map<string, MasksOfLook>();
  #used = 0;

  constructor(canvas: CanvasExports, commands: CommandBuffer) {
    this.#canvas = canvas;
    this.#commands = commands;
    this.#bytes = new Uint8Array(canvas.memory.buffer);
    this.#integers = new Int32Array(canvas.memory.buffer);
  }

  /** Address of an image: width and height, then pixels. */
  image(image: SpriteImage): number {
    return this.#images.get(image) ?? this.#addImage(this.#images, image, 1);
  }

  /** Address of a repeated image. It is followed by space for two more words per pixel. */
  pattern(image: SpriteImage): number {
    return this.#patterns.get(image) ?? this.#addImage(this.#patterns, image, 3);
  }

  /** Address of a letter's field. */
  field(glyph: Glyph): number {
    const known = this.#fields.get(glyph);
    if (known !== undefined) return known;
    const { field, width, height, left, top } = glyph;
    const address = this.#take(SHAPE_HEADER_BYTES + field.length);
    this.#integers.set(
      [
        width + 2 * GLYPH_BORDER,
        height + 2 * GLYPH_BORDER,
        left - GLYPH_BORDER,
        -top - GLYPH_BORDER,
      ],
      address >> 2,
    );
    this.#bytes.set(field, address + SHAPE_HEADER_BYTES);
    this.#fields.set(glyph, address);
    return address;
  }

  /** Cached masks of letters with the same look; discarded with everything else. */
  masks(font: string, sizePixels: number, growPixels: number): MasksOfLook {
    const key = `${font} ${sizePixels} ${growPixels}`;
    let masks = this.#looks.get(key);
    if (masks === undefined) {
      masks = new Map();
      this.#looks.set(key, masks);
    }
    return masks;
  }

  /**
   * Address of an upright letter's mask, or 0 if nothing is visible.
   * @param stepX,stepY subpixel position of the pen, in steps
   */
  mask(
    masks: MasksOfLook,
    glyph: Glyph,
    {
      sizePixels,
      growPixels,
      stepX,
      stepY,
    }: { sizePixels: number; growPixels: number; stepX: number; stepY: number },
  ): number {
    const key = (glyph.code * PHASES + stepY) * PHASES + stepX;
    const known = masks.get(key);
    if (known !== undefined) return known;
    const most = mostMaskBytes(glyph, sizePixels);
    // Mask and field are needed together, so neither may evict the other.
    this.#makeRoom(most + SHAPE_HEADER_BYTES + glyph.field.length + 8);
    const field = this.field(glyph);
    const address = this.#take(most);
    const [x, y] = [stepX / PHASES, stepY / PHASES];
    const length = this.#canvas.makeMask(address, field, sizePixels, growPixels, 1, 0, x, y);
    this.#giveBack(most - length);
    masks.set(key, length === 0 ? 0 : address);
    return length === 0 ? 0 : address;
  }

  #addImage(known: Map<SpriteImage, number>, image: SpriteImage, times: number): number {
    const { width, height, pixels } = image;
    const address = this.#take(IMAGE_HEADER_BYTES + 4 * times * width * height);
    this.#integers[address >> 2] = width;
    this.#integers[(address >> 2) + 1] = height;
    const from = address + IMAGE_HEADER_BYTES;
    this.#bytes.fill(0, from, from + 4 * times * width * height);
    this.#bytes.set(pixels.subarray(0, 4 * width * height), from);
    known.set(image, address);
    return address;
  }

  /** Reserve bytes. @returns the address, aligned to words */
  #take(bytes: number): number {
    this.#makeRoom(bytes);
    const address = this.#canvas.ARTWORK.value + this.#used;
    this.#used += roundedUp(bytes);
    return address;
  }

  /** Release the unused end of the last reservation. */
  #giveBack(bytes: number): void {
    this.#used -= bytes - (bytes % 4);
  }

  /** @throws RangeError if more bytes are requested than the memory has */
  #makeRoom(bytes: number): void {
    if (roundedUp(bytes) > ARTWORK_BYTES) throw new RangeError('An image is too large to paint.');
    if (this.#used + roundedUp(bytes) <= ARTWORK_BYTES) return;
    // Queued commands still refer to the discarded artwork.
    this.#commands.run();
    this.#images.clear();
    this.#patterns.clear();
    this.#fields.clear();
    for (const masks of this.#looks.values()) masks.clear();
    this.#used = 0;
  }
}

const roundedUp = (bytes: number): number => (bytes + 3) & ~3;

/** Maximum size of a letter's mask, for any rotation and pen position. */
export function mostMaskBytes({ width, height }: Glyph, sizePixels: number): number {
  const diagonal = Math.hypot(width + 2 * GLYPH_BORDER, height + 2 * GLYPH_BORDER);
  return SHAPE_HEADER_BYTES + (Math.ceil((diagonal * sizePixels) / EM) + 2) ** 2;
}
