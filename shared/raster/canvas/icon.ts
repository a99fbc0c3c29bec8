// Draws icons: upright ones on whole pixels, rotated ones by interpolation.

import { IMAGE_HEADER_BYTES, SIDE } from '../paint/commands';
import { PIXELS } from './memory';
import { blended, colorOf } from './surface';

/** Draw an image on whole pixels. @param left,top position of its corner */
export function paintIcon(image: usize, left: i32, top: i32): void {
  const width = load<i32>(image);
  const height = load<i32>(image, 4);
  const pixels = image + IMAGE_HEADER_BYTES;
  const lastRow = min(height, SIDE - top);
  const lastColumn = min(width, SIDE - left);
  for (let row = max(0, -top); row < lastRow; row++) {
    for (let column = max(0, -left); column < lastColumn; column++) {
      const from = pixels + ((row * width + column) << 2);
      const opacity = load<u8>(from, 3);
      if (opacity === 0) continue;
      const at = PIXELS + (((top + row) * SIDE + left + column) << 2);
      const color = colorOf(load<u8>(from), load<u8>(from, 1), load<u8>(from, 2));
      store<u32>(at, blended(load<u32>(at), color, <f32>opacity / 255));
    }
  }
}

/** Draw an image rotated about its centre. @param x,y position of the centre */
export function paintTurnedIcon(image: usize, x: f64, y: f64, cos: f64, sin: f64): void {
  const width = load<i32>(image);
  const height = load<i32>(image, 4);
  const reachX = (abs(width * cos) + abs(height * sin)) / 2 + 1;
  const reachY = (abs(width * sin) + abs(height * cos)) / 2 + 1;
  const lastX = <i32>min<f64>(SIDE, ceil(x + reachX));
  const lastY = <i32>min<f64>(SIDE, ceil(y + reachY));
  const firstX = <i32>max<f64>(0, floor(x - reachX));
  for (let py = <i32>max<f64>(0, floor(y - reachY)); py < lastY; py++) {
    for (let px = firstX; px < lastX; px++) {
      const dx = px + 0.5 - x;
      const dy = py + 0.5 - y;
      // Back to image coordinates, in which pixel centres are integers.
      const u = dx * cos + dy * sin + width / 2.0 - 0.5;
      const v = dy * cos - dx * sin + height / 2.0 - 0.5;
      if (u <= -1 || v <= -1 || u >= width || v >= height) continue;
      blendSample(PIXELS + ((py * SIDE + px) << 2), image, u, v);
    }
  }
}

/** Blend the interpolated image colour over a pixel. */
function blendSample(at: usize, image: usize, u: f64, v: f64): void {
  const width = load<i32>(image);
  const height = load<i32>(image, 4);
  const left = <i32>floor(u);
  const top = <i32>floor(v);
  let sum = f32x4.splat(0);
  let opacity: f32 = 0;
  for (let corner = 0; corner < 4; corner++) {
    const column = left + (corner & 1);
    const row = top + (corner >> 1);
    if (column < 0 || row < 0 || column >= width || row >= height) continue;
    const from = image + IMAGE_HEADER_BYTES + ((row * width + column) << 2);
    const share = (1 - abs(column - u)) * (1 - abs(row - v));
    const weight = <f32>(load<u8>(from, 3) * share);
    const color = colorOf(load<u8>(from), load<u8>(from, 1), load<u8>(from, 2));
    sum = f32x4.add(sum, f32x4.mul(color, f32x4.splat(weight)));
    opacity += weight;
  }
  if (opacity <= 0) return;
  const color = f32x4.replace_lane(f32x4.div(sum, f32x4.splat(opacity)), 3, 255);
  store<u32>(at, blended(load<u32>(at), color, opacity / 255));
}
