// Which colour of a palette is nearest to one that is not in it.

/** Bits by which greens are told apart where the search begins. */
const GREENS = 256;

/** Looks colours up in a palette of at most 256, from their own green outwards. */
export class NearestColor {
  /** Red, green, blue and index by fours, in the order of their greens. */
  readonly #sorted: Int32Array;
  /** By green: the first place in that order that has no less of it. */
  readonly #firstOf = new Int32Array(GREENS);

  /** @param palette red, green, blue by threes, at least one */
  constructor(palette: Uint8Array) {
    const sorted = new Int32Array((4 * palette.length) / 3);
    const firstOf = this.#firstOf;
    for (let i = 1; i < palette.length; i += 3) {
      if (palette[i]! + 1 < GREENS) firstOf[palette[i]! + 1]!++;
    }
    for (let green = 1; green < GREENS; green++) firstOf[green]! += firstOf[green - 1]!;
    const next = firstOf.slice();
    for (let i = 0; i < palette.length; i += 3) {
      const at = 4 * next[palette[i + 1]!]!++;
      sorted[at] = palette[i]!;
      sorted[at + 1] = palette[i + 1]!;
      sorted[at + 2] = palette[i + 2]!;
      sorted[at + 3] = i / 3;
    }
    this.#sorted = sorted;
  }

  /**
   * By the square of the distance; of colours equally near the one first in the palette. The search
   * ends where greens alone are farther apart than the best found.
   * @param color red in the lowest byte, then green and blue
   */
  indexOf(color: number): number {
    const sorted = this.#sorted;
    const red = color & 255;
    const green = (color >> 8) & 255;
    const blue = (color >> 16) & 255;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    let up = 4 * this.#firstOf[green]!;
    let down = up - 4;
    while (true) {
      const gapUp = up < sorted.length ? sorted[up + 1]! - green : GREENS;
      const gapDown = down >= 0 ? green - sorted[down + 1]! : GREENS;
      const gap = gapUp <= gapDown ? gapUp : gapDown;
      if (gap === GREENS || gap * gap > least) return best;
      const at = gapUp <= gapDown ? up : down;
      if (gapUp <= gapDown) up += 4;
      else down -= 4;
      const dr = sorted[at]! - red;
      const db = sorted[at + 2]! - blue;
      const distance = dr * dr + gap * gap + db * db;
      if (distance < least || (distance === least && sorted[at + 3]! < best)) {
        least = distance;
        best = sorted[at + 3]!;
      }
    }
  }
}
