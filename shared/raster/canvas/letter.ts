// Converts letters from distance fields to masks: the coverage of each pixel by the letter or its
// halo.

import { SHAPE_HEADER_BYTES, SIDE } from '../paint/commands';
import { MASK, PIXELS } from './memory';
import { blendInk, inkAlpha } from './surface';

/** Pixels of an em in the fields. */
const EM: f64 = 24;
/** Width of the soft edge in field values, at the size of the field. */
const SOFTNESS: f64 = 0.105;
/** Field value of the outline (0 to 1). */
const OUTLINE: f64 = 0.75;
/** Field value per pixel of the field (0 to 1). */
const PER_PIXEL: f64 = 1.0 / 8;

/** Blend the ink over the pixels of a mask. @param column,row pixel of the pen */
export function paintLetter(mask: usize, column: i32, row: i32): void {
  const width = load<i32>(mask);
  const height = load<i32>(mask, 4);
  const left = column + load<i32>(mask, 8);
  const top = row + load<i32>(mask, 12);
  const scale = inkAlpha / 255;
  const lastY = min(height, SIDE - top);
  const lastX = min(width, SIDE - left);
  for (let y = max(0, -top); y < lastY; y++) {
    const from = mask + SHAPE_HEADER_BYTES + y * width;
    const to = PIXELS + (((top + y) * SIDE + left) << 2);
    for (let x = max(0, -left); x < lastX; x++) {
      const value = load<u8>(from + x);
      if (value !== 0) blendInk(to + (x << 2), value * scale);
    }
  }
}

/** Draw a rotated letter. Its mask is not cached. */
export function paintTurnedLetter(
  field: usize,
  column: i32,
  row: i32,
  size: f64,
  grow: f64,
  cos: f64,
  sin: f64,
  x: f64,
  y: f64,
): void {
  if (makeMask(MASK, field, size, grow, cos, sin, x, y) > 0) paintLetter(MASK, column, row);
}

/**
 * Make the mask of a letter.
 * @param into target address: width, height, offset of the corner from the pen's pixel, then one
 * byte per pixel
 * @param field width, height, offset of the corner from the pen, then one byte per pixel
 * @param grow additional width in pixels, for a halo
 * @param x,y position of the pen within its pixel
 * @returns size in bytes, or 0 if nothing is visible
 */
export function makeMask(
  into: usize,
  field: usize,
  size: f64,
  grow: f64,
  cos: f64,
  sin: f64,
  x: f64,
  y: f64,
): i32 {
  const scale = size / EM;
  const fieldLeft = <f64>load<i32>(field, 8);
  const fieldTop = <f64>load<i32>(field, 12);
  const fieldRight = fieldLeft + load<i32>(field);
  const fieldBottom = fieldTop + load<i32>(field, 4);
  // Bounds of the rotated field: sums of the minima and maxima of both sides.
  const left = <i32>(
    floor(x + scale * (least(fieldLeft, fieldRight, cos) + least(fieldTop, fieldBottom, -sin)))
  );
  const top = <i32>(
    floor(y + scale * (least(fieldLeft, fieldRight, sin) + least(fieldTop, fieldBottom, cos)))
  );
  const right = <i32>(
    ceil(x + scale * (most(fieldLeft, fieldRight, cos) + most(fieldTop, fieldBottom, -sin)))
  );
  const bottom = <i32>(
    ceil(y + scale * (most(fieldLeft, fieldRight, sin) + most(fieldTop, fieldBottom, cos)))
  );
  const middle = OUTLINE - (grow / scale) * PER_PIXEL;
  const soft = SOFTNESS / scale;
  let at = into + SHAPE_HEADER_BYTES;
  let isBlank = true;
  for (let row = top; row < bottom; row++) {
    const dy = (row + 0.5 - y) / scale;
    for (let column = left; column < right; column++) {
      const dx = (column + 0.5 - x) / scale;
      const u = dx * cos + dy * sin - fieldLeft - 0.5;
      const v = dy * cos - dx * sin - fieldTop - 0.5;
      const t = min<f64>((sample(field, u, v) - middle + soft) / (2 * soft), 1);
      const value = t <= 0 ? 0 : <i32>floor(255 * t * t * (3 - 2 * t) + 0.5);
      if (t > 0) isBlank = false;
      store<u8>(at++, <u8>value);
    }
  }
  store<i32>(into, right - left);
  store<i32>(into, bottom - top, 4);
  store<i32>(into, left, 8);
  store<i32>(into, top, 12);
  return isBlank ? 0 : <i32>(at - into);
}

function least(a: f64, b: f64, by: f64): f64 {
  return min<f64>(a * by, b * by);
}

function most(a: f64, b: f64, by: f64): f64 {
  return max<f64>(a * by, b * by);
}

/** Interpolated field value, 0 to 1; 0 outside the field. */
function sample(field: usize, u: f64, v: f64): f64 {
  const width = load<i32>(field);
  const height = load<i32>(field, 4);
  const column = <i32>floor(u);
  const row = <i32>floor(v);
  if (column < -1 || row < -1 || column >= width || row >= height) return 0;
  const fx = u - column;
  const fy = v - row;
  const above = valueAt(field, column, row) * (1 - fx) + valueAt(field, column + 1, row) * fx;
  const below =
    valueAt(field, column, row + 1) * (1 - fx) + valueAt(field, column + 1, row + 1) * fx;
  return (above * (1 - fy) + below * fy) / 255;
}

function valueAt(field: usize, column: i32, row: i32): f64 {
  const width = load<i32>(field);
  if (column < 0 || row < 0 || column >= width || row >= load<i32>(field, 4)) return 0;
  return load<u8>(field + SHAPE_HEADER_BYTES + row * width + column);
}
