// Fills areas without antialiasing: a pixel is filled if its centre is inside. Areas with a common
// edge compute identical crossings, so every pixel is filled exactly once.

import { SIDE } from '../paint/commands';
import { fillPatternSpan } from './pattern';
import { fillSpan, inkAlpha } from './surface';

/** One more column than pixels; crossings right of the tile have no effect. */
const STRIDE: i32 = SIDE + 1;
const PIECE_SHIFT: i32 = 3;
const PIECE: i32 = 8;

/** Per pixel, the change of the winding number from the pixel to its left. */
const STEPS: usize = memory.data(STRIDE * SIDE * 4, 16);
/** Per row, the pieces of 8 pixels with changes, one bit each. */
const STEPPED: usize = memory.data(SIDE * 4, 16);
/** Per row, the change of the winding number left of the tile from the row above. */
const LEFT: usize = memory.data((SIDE + 1) * 4, 16);

/**
 * Add the crossings of a directed edge with the centre lines of rows. Left of the tile only the
 * winding counts.
 */
export function addCrossings(xa: f64, ya: f64, xb: f64, yb: f64): void {
  if (ya === yb || (xa >= SIDE && xb >= SIDE)) return;
  // Always computed from the upper end, so that both neighbours get the same result.
  const isDown = ya < yb;
  const x0 = isDown ? xa : xb;
  const y0 = isDown ? ya : yb;
  const y1 = isDown ? yb : ya;
  const first = <i32>max<f64>(0, ceil(y0 - 0.5));
  const end = <i32>min<f64>(SIDE, ceil(y1 - 0.5));
  if (first >= end) return;
  const direction = isDown ? 1 : -1;
  if (xa <= 0 && xb <= 0) {
    step(LEFT + (first << 2), direction);
    step(LEFT + (end << 2), -direction);
    return;
  }
  const slope = ((isDown ? xb : xa) - x0) / (y1 - y0);
  for (let row = first; row < end; row++) {
    const x = x0 + (row + 0.5 - y0) * slope;
    // The first pixel whose centre is not left of the crossing.
    const pixel = <i32>min<f64>(max<f64>(ceil(x - 0.5), 0), SIDE);
    if (pixel === SIDE) continue;
    step(STEPS + ((row * STRIDE + pixel) << 2), direction);
    const stepped = STEPPED + (row << 2);
    store<i32>(stepped, load<i32>(stepped) | (1 << (pixel >> PIECE_SHIFT)));
  }
}

function step(at: usize, by: i32): void {
  store<i32>(at, load<i32>(at) + by);
}

/** Fill all runs of pixels inside the edges (nonzero winding), then clear the edges. */
export function fillInside(isPattern: bool): void {
  let left = 0;
  for (let row = 0; row < SIDE; row++) {
    left += load<i32>(LEFT + (row << 2));
    store<i32>(LEFT + (row << 2), 0);
    fillRow(row, left, isPattern);
  }
  store<i32>(LEFT + (SIDE << 2), 0);
}

function fillRow(row: i32, left: i32, isPattern: bool): void {
  const steps = STEPS + ((row * STRIDE) << 2);
  let winding = left;
  let from = 0;
  let pieces = load<i32>(STEPPED + (row << 2));
  store<i32>(STEPPED + (row << 2), 0);
  for (; pieces !== 0; pieces &= pieces - 1) {
    const first = (<i32>ctz(pieces)) << PIECE_SHIFT;
    for (let pixel = first; pixel < first + PIECE; pixel++) {
      const by = load<i32>(steps + (pixel << 2));
      if (by === 0) continue;
      store<i32>(steps + (pixel << 2), 0);
      const was = winding;
      winding += by;
      if (was === 0) from = pixel;
      else if (winding === 0) fill(row, from, pixel, isPattern);
    }
  }
  if (winding !== 0) fill(row, from, SIDE, isPattern);
}

function fill(row: i32, from: i32, to: i32, isPattern: bool): void {
  if (isPattern) fillPatternSpan(row, from, to);
  else fillSpan(row, from, to, inkAlpha);
}
