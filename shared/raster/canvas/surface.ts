// The pixels of a tile and the ink to blend. Pixels are opaque: red in the lowest byte, then green,
// blue, and 255.

import { SIDE } from '../paint/commands';
import { PIXELS } from './memory';

/** The ink as four floats (without opacity), as a pixel, and its opacity (0 to 1). */
let ink: v128 = f32x4.splat(0);
let inkPixel: u32 = 0xff000000;
export let inkAlpha: f32 = 1;

/** Red, green, blue 0 to 255; opacity 0 to 1. */
export function setInk(red: i32, green: i32, blue: i32, alpha: f32): void {
  ink = colorOf(red, green, blue);
  inkPixel = 0xff000000 | (blue << 16) | (green << 8) | red;
  inkAlpha = alpha;
}

/** A colour as floats: red, green, blue, 255. */
export function colorOf(red: i32, green: i32, blue: i32): v128 {
  let color = f32x4.splat(255);
  color = f32x4.replace_lane(color, 0, <f32>red);
  color = f32x4.replace_lane(color, 1, <f32>green);
  return f32x4.replace_lane(color, 2, <f32>blue);
}

/** Make all pixels black. */
export function clear(): void {
  fillWords(PIXELS, SIDE * SIDE, 0xff000000);
}

/** Blend a colour over a pixel. @param alpha 0 to 1 */
export function blended(pixel: u32, color: v128, alpha: f32): u32 {
  const bytes = i32x4.replace_lane(i32x4.splat(0), 0, pixel);
  const under = f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)));
  const mixed = f32x4.add(under, f32x4.mul(f32x4.sub(color, under), f32x4.splat(alpha)));
  // Round half to even, as Uint8ClampedArray does.
  const whole = i32x4.trunc_sat_f32x4_u(f32x4.nearest(mixed));
  const halves = i16x8.narrow_i32x4_u(whole, whole);
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(halves, halves), 0);
}

/** Blend the ink over a pixel. @param at address of the pixel */
export function blendInk(at: usize, alpha: f32): void {
  store<u32>(at, alpha >= 1 ? inkPixel : blended(load<u32>(at), ink, alpha));
}

/** Fill pixels [from, to) of a row within the tile. */
export function fillSpan(row: i32, from: i32, to: i32, alpha: f32): void {
  const start = PIXELS + ((row * SIDE + from) << 2);
  if (alpha >= 1) fillWords(start, to - from, inkPixel);
  else blendWords(start, start + ((to - from) << 2), alpha);
}

/** Neighbours are mostly equal, so the last result is reused. */
function blendWords(start: usize, end: usize, alpha: f32): void {
  let beneath: u32 = 0;
  let made: u32 = 0;
  for (let at = start; at < end; at += 4) {
    const pixel = load<u32>(at);
    // Pixels are opaque and never 0.
    if (pixel !== beneath) {
      beneath = pixel;
      made = blended(pixel, ink, alpha);
    }
    store<u32>(at, made);
  }
}

/** Fill memory with a word. */
export function fillWords(start: usize, count: i32, word: u32): void {
  const four = i32x4.splat(word);
  let at = start;
  const end = start + (count << 2);
  for (; at + 16 <= end; at += 16) v128.store(at, four);
  for (; at < end; at += 4) store<u32>(at, word);
}
