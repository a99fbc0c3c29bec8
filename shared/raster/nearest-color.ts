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
    const colors = palette.length / 3;
    const order = Array.from({ length: colors }, (_, i) => i).sort(
      (a, b) => palette[3 * a + 1]! - palette[3 * b + 1]! || a - b,
    );
    this.#sorted = Int32Array.from(
      order.flatMap((i) => [palette[3 * i]!, palette[3 * i + 1]!, palette[3 * i + 2]!, i]),
    );
    let place = 0;
    for (let green = 0; green < GREENS; green++) {
      while (place < colors && palette[3 * order[place]! + 1]! < green) place++;
      this.#firstOf[green] = place;
    }
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
