// Dashes walked along a line.

import { isOutside } from './outside.ts';

/** A dash may not be shorter than this: a pattern of hair-thin dashes on a long line is a solid. */
const MIN_DASH_PIXELS = 0.25;

/**
 * Hands each dash in turn to `draw`: x and y by twos, in an array that is used again. Segments outside
 * the tile are walked over in one step.
 * @param pattern lengths of dash and gap in turn
 */
export function eachDash(
  path: Float32Array,
  pattern: readonly number[],
  marginPixels: number,
  draw: (dash: readonly number[]) => void,
): void {
  const once = pattern.map((length) => Math.max(length, MIN_DASH_PIXELS));
  // Of an odd number of lengths, dashes and gaps change places each time around.
  const lengths = once.length % 2 === 0 ? once : [...once, ...once];
  const period = lengths.reduce((sum, length) => sum + length, 0);
  const dash: number[] = [path[0]!, path[1]!];
  let index = 0;
  let left = lengths[0]!;
  const finish = (x: number, y: number) => {
    if (index % 2 === 0 && dash.length >= 4) draw(dash);
    dash.length = 0;
    dash.push(x, y);
  };
  const goOn = () => {
    index = (index + 1) % lengths.length;
    left = lengths[index]!;
  };
  for (let i = 0; i + 3 < path.length; i += 2) {
    let x = path[i]!;
    let y = path[i + 1]!;
    const x1 = path[i + 2]!;
    const y1 = path[i + 3]!;
    let rest = Math.sqrt((x1 - x) ** 2 + (y1 - y) ** 2);
    if (isOutside(x, y, x1, y1, marginPixels)) {
      finish(x1, y1);
      rest %= period;
      while (rest > left) {
        rest -= left;
        goOn();
      }
      left -= rest;
      continue;
    }
    while (rest > left) {
      const share = left / rest;
      x += (x1 - x) * share;
      y += (y1 - y) * share;
      rest -= left;
      dash.push(x, y);
      finish(x, y);
      goOn();
    }
    left -= rest;
    dash.push(x1, y1);
  }
  finish(0, 0);
}
