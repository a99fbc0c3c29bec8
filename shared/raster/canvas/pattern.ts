// Fills areas with an image that repeats from the world's corner.

import { IMAGE_HEADER_BYTES, SIDE } from '../paint/commands';
import { PIXELS } from './memory';
import { blended, colorOf } from './surface';

/**
 * Address of the image: its pixels, followed for each pixel by the last blended background word and
 * its result. Background words are opaque and never 0.
 */
let pixels: usize = 0;
let width: i32 = 1;
let height: i32 = 1;
/** Column and row of the image at the tile's corner. */
let originX: i32 = 0;
let originY: i32 = 0;

/** Select the image. @param image its address, followed by space for twice its pixels */
export function setPattern(image: usize, column: i32, row: i32): void {
  width = load<i32>(image);
  height = load<i32>(image, 4);
  pixels = image + IMAGE_HEADER_BYTES;
  originX = column;
  originY = row;
}

/**
 * Fill pixels [from, to) of a row. If the background is constant for more than an image width, one
 * width is blended and copied.
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

/** Fill pixels with a constant background. @param imageRow index of the image row */
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

/** Blend a pixel of the image over a colour. */
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
