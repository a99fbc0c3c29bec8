// Areas without blended edges: a pixel belongs to the area that holds its middle. Neighbours that
// share an edge share each crossing to the bit, so no pixel is left out and none is painted twice.

import { type Path, TILE_PIXELS } from '../display-list.ts';

const SIZE = TILE_PIXELS;

/** Hands each run of pixels inside the rings to `paint` (row, from, to), by nonzero winding. */
export function fillSpans(
  rings: readonly Path[],
  paint: (row: number, from: number, to: number) => void,
): void {
  const rows: (number[] | undefined)[] = new Array(SIZE);
  for (const ring of rings) addCrossings(ring, rows);
  for (let row = 0; row < SIZE; row++) {
    const crossings = rows[row];
    if (crossings === undefined) continue;
    sortPairs(crossings);
    let winding = 0;
    let from = 0;
    for (let i = 0; i < crossings.length; i += 2) {
      const was = winding;
      winding += crossings[i + 1]!;
      if (was === 0 && winding !== 0) {
        from = firstPixel(crossings[i]!);
      } else if (was !== 0 && winding === 0) {
        const to = firstPixel(crossings[i]!);
        if (to > from) paint(row, from, to);
      }
    }
  }
}

/** The first pixel whose middle is not left of x, within the row. */
function firstPixel(x: number): number {
  const pixel = Math.ceil(x - 0.5);
  return pixel < 0 ? 0 : pixel > SIZE ? SIZE : pixel;
}

/** Where a ring crosses the middle of each row: x and direction by twos. */
function addCrossings(ring: Path, rows: (number[] | undefined)[]): void {
  const n = ring.length;
  let xa = ring[n - 2]!;
  let ya = ring[n - 1]!;
  for (let i = 0; i < n; i += 2) {
    const xb = ring[i]!;
    const yb = ring[i + 1]!;
    if (ya !== yb) {
      // Always computed from the upper end, so that both neighbours get the same number.
      const isDown = ya < yb;
      const x0 = isDown ? xa : xb;
      const y0 = isDown ? ya : yb;
      const y1 = isDown ? yb : ya;
      const slope = ((isDown ? xb : xa) - x0) / (y1 - y0);
      const first = Math.max(0, Math.ceil(y0 - 0.5));
      const end = Math.min(SIZE, Math.ceil(y1 - 0.5));
      for (let row = first; row < end; row++) {
        const x = x0 + (row + 0.5 - y0) * slope;
        const crossings = rows[row];
        if (crossings === undefined) rows[row] = [x, isDown ? 1 : -1];
        else crossings.push(x, isDown ? 1 : -1);
      }
    }
    xa = xb;
    ya = yb;
  }
}

/** Insertion sort of pairs: rows have few crossings, and mostly in order. */
function sortPairs(pairs: number[]): void {
  for (let i = 2; i < pairs.length; i += 2) {
    const x = pairs[i]!;
    const direction = pairs[i + 1]!;
    let j = i - 2;
    while (j >= 0 && pairs[j]! > x) {
      pairs[j + 2] = pairs[j]!;
      pairs[j + 3] = pairs[j + 1]!;
      j -= 2;
    }
    pairs[j + 2] = x;
    pairs[j + 3] = direction;
  }
}
