// Which colour of a palette is nearest to one that is not in it.

/** Red, green and blue together: 0 to this, not included. */
const SUMS = 3 * 255 + 1;
/** Numbers a colour takes in the sorted list: its sum, red, blue, and its index in the palette. */
const STRIDE = 4;
/** A sum that is farther from every colour's than any two of theirs are apart. */
const FAR_SUM = 1 << 15;
/** The square of a distance, or more, between any two colours. */
const FARTHEST = 3 * 256 ** 2;

/**
 * Looks colours up in a palette, from their own sum of red, green and blue outwards: charts blend
 * between dark and light, so sums tell colours apart better than any one of the three.
 */
export class NearestColor {
  /** In the order of their sums, with one before and one after that are too far from everything. */
  readonly #sorted: Int32Array;
  /** By sum: how many colours have less. */
  readonly #before = new Int32Array(SUMS + 1);

  /** @param palette red, green, blue by threes, at least one */
  constructor(palette: Uint8Array) {
    const sumAt = (i: number): number => palette[i]! + palette[i + 1]! + palette[i + 2]!;
    const before = this.#before;
    for (let i = 0; i < palette.length; i += 3) before[sumAt(i) + 1]!++;
    for (let sum = 1; sum <= SUMS; sum++) before[sum]! += before[sum - 1]!;
    const colors = palette.length / 3;
    const sorted = new Int32Array(STRIDE * (colors + 2));
    sorted[0] = -FAR_SUM;
    sorted[STRIDE * (colors + 1)] = FAR_SUM;
    const last = before.slice();
    for (let i = 0; i < palette.length; i += 3) {
      const at = STRIDE * ++last[sumAt(i)]!;
      sorted[at] = sumAt(i);
      sorted[at + 1] = palette[i]!;
      sorted[at + 2] = palette[i + 2]!;
      sorted[at + 3] = i / 3;
    }
    this.#sorted = sorted;
  }

  /**
   * By the square of the distance; of colours equally near the one first in the palette. Where sums
   * differ by some amount, the square of the distance is at least a third of that amount's: there
   * the search ends.
   * @param color red in the lowest byte, then green and blue
   */
  indexOf(color: number): number {
    const sorted = this.#sorted;
    const red = color & 255;
    const blue = (color >> 16) & 255;
    const sum = red + ((color >> 8) & 255) + blue;
    let best = 0;
    let least = FARTHEST;
    let down = STRIDE * this.#before[sum]!;
    let up = down + STRIDE;
    let gapDown = sum - sorted[down]!;
    let gapUp = sorted[up]! - sum;
    for (;;) {
      let at = up;
      let gap = gapUp;
      if (gapUp <= gapDown) {
        up += STRIDE;
        gapUp = sorted[up]! - sum;
      } else {
        at = down;
        gap = gapDown;
        down -= STRIDE;
        gapDown = sum - sorted[down]!;
      }
      if (gap * gap > 3 * least) return best;
      const dr = sorted[at + 1]! - red;
      const db = sorted[at + 2]! - blue;
      const dg = sorted[at]! - sum - dr - db;
      const distance = dr * dr + dg * dg + db * db;
      if (distance < least || (distance === least && sorted[at + 3]! < best)) {
        least = distance;
        best = sorted[at + 3]!;
      }
    }
  }
}
