// Draws solid and dashed lines, piece by piece.

import { MAX_DASHES } from '../paint/commands';
import { endOutline, outlineFrom, outlineTo, setOutline } from './outline';
import { isOutside } from './outside';

/** Minimum dash length. Shorter patterns are drawn solid. */
const MIN_DASH_PIXELS: f64 = 0.25;

/** Dash and gap lengths (64-bit floats), their number and their sum; 0 lengths: a solid line. */
const LENGTHS: usize = memory.data(2 * MAX_DASHES * 8, 16);
let lengths: i32 = 0;
let period: f64 = 0;
let half: f64 = 0.5;
/** Current position, index of the dash or gap, and its remaining length. */
let atX: f64 = 0;
let atY: f64 = 0;
let index: i32 = 0;
let left: f64 = 0;

/** Set the pen. @param from address of the dash and gap lengths (32-bit floats) */
export function setPen(widthPixels: f64, hasRoundCaps: bool, from: usize, count: i32): void {
  half = max<f64>(widthPixels, 0.5) / 2;
  let longest: f64 = 0;
  for (let i = 0; i < count; i++) longest = max<f64>(longest, load<f32>(from + (i << 2)));
  lengths = 0;
  if (count >= 2 && longest > 0) {
    // With an odd number of lengths, dashes and gaps alternate on each repetition.
    lengths = count % 2 === 0 ? count : 2 * count;
    period = 0;
    for (let i = 0; i < lengths; i++) {
      const length = max<f64>(load<f32>(from + ((i % count) << 2)), MIN_DASH_PIXELS);
      store<f64>(LENGTHS + (i << 3), length);
      period += length;
    }
  }
  setOutline(half, hasRoundCaps && lengths === 0);
}

/** Start a line. */
export function lineFrom(x: f64, y: f64): void {
  atX = x;
  atY = y;
  index = 0;
  left = load<f64>(LENGTHS);
  outlineFrom(x, y);
}

/** Continue the line. */
export function lineTo(x: f64, y: f64): void {
  if (lengths === 0) outlineTo(x, y);
  else dashTo(x, y);
  atX = x;
  atY = y;
}

/** End the line at its current position. */
export function endLine(): void {
  if (index % 2 === 0) endOutline();
}

/** Segments outside the tile are skipped in one step. */
function dashTo(toX: f64, toY: f64): void {
  let x = atX;
  let y = atY;
  let rest = sqrt((toX - x) * (toX - x) + (toY - y) * (toY - y));
  if (isOutside(x, y, toX, toY, half)) {
    if (index % 2 === 0) endOutline();
    rest %= period;
    while (rest > left) {
      rest -= left;
      nextLength();
    }
    left -= rest;
    outlineFrom(toX, toY);
    return;
  }
  while (rest > left) {
    const share = left / rest;
    x += (toX - x) * share;
    y += (toY - y) * share;
    rest -= left;
    if (index % 2 === 0) {
      outlineTo(x, y);
      endOutline();
    }
    outlineFrom(x, y);
    nextLength();
  }
  left -= rest;
  if (index % 2 === 0) outlineTo(toX, toY);
}

function nextLength(): void {
  index = (index + 1) % lengths;
  left = load<f64>(LENGTHS + (index << 3));
}
