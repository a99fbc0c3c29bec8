// An image repeated over an area, from the world's corner.

import { IMAGE_HEADER_BYTES, SIDE } from '../paint/commands';
import { PIXELS } from './memory';
import { blended, colorOf } from './surface';

/**
 * The image: its pixels, and after them by pixel the word beneath when it was last blended, and what
 * became of it. Words of the surface are opaque: none of them is 0.
 */
let pixels: usize = 0;
let width: i32 = 1;
let height: i32 = 1;
/** Its column and row at the tile's corner. */
let originX: i32 = 0;
let originY: i32 = 0;

/** Choose the image, and how it lies. @param image its address, with room for twice its pixels after it */
export function setPattern(image: usize, column: i32, row: i32): void {
  width = load<i32>(image);
  height = load<i32>(image, 4);
  pixels = image + IMAGE_HEADER_BYTES;
  originX = column;
  originY = row;
}

/**
 * Pixels of a row from `from` up to, not including, `to`. Where the colour beneath stays the same for
 * longer than the image is wide, one width is blended and copied on.
 */
export function fillPatternSpan(row: i32, from: i32, to: i32): void {
  const end = PIXELS + ((row * SIDE + to) << 2);
  const rowStart = PIXELS + ((row * SIDE) << 2);
  const imageRow = ((originY + row) % height) * width;
  let at = rowStart + (from << 2);
  while (at < end) {
    const word = load<u32>(at);
    let next = at + 4;
    while (next < end && load<u32>(next) === word) next += 4;
    fillAlike(at, next, imageRow, (originX + <i32>((at - rowStart) >> 2)) % width);
    at = next;
  }
}

/** Pixels of a row that are all of one colour. @param imageRow index of the image's row */
function fillAlike(start: usize, end: usize, imageRow: i32, firstColumn: i32): void {
  const word = load<u32>(start);
  const once = min(end, start + (width << 2));
  let column = firstColumn;
  for (let at = start; at < once; at += 4) {
    store<u32>(at, over(word, imageRow + column));
    if (++column === width) column = 0;
  }
  for (let done = once - start; start + done < end; done *= 2) {
    memory.copy(start + done, start, min(done, end - start - done));
  }
}

/** A pixel of the image over a colour. */
function over(word: u32, index: i32): u32 {
  const area = (width * height) << 2;
  const own = pixels + (index << 2);
  const beneath = own + area;
  const made = beneath + area;
  if (load<u32>(beneath) === word) return load<u32>(made);
  const color = colorOf(load<u8>(own), load<u8>(own, 1), load<u8>(own, 2));
  const mixed = blended(word, color, <f32>load<u8>(own, 3) / 255);
  store<u32>(beneath, word);
  store<u32>(made, mixed);
  return mixed;
}
