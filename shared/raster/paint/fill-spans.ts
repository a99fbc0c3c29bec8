// Areas without blended edges: a pixel belongs to the area that holds its middle. Neighbours that
// share an edge share each crossing to the bit, so no pixel is left out and none is painted twice.

import { type Path, TILE_PIXELS } from '../display-list.ts';

const SIZE = TILE_PIXELS;
const NONE = -1;

/**
 * Where edges cross the middles of rows, reused by every area: by row the last one found, and by
 * crossing its place, its direction and the one found before it in its row.
 */
const lastOf = new Int32Array(SIZE).fill(NONE);
let places = new Float64Array(0);
let directions = new Int8Array(0);
let befores = new Int32Array(0);
let count = 0;
/** Room for so many is kept from area to area: more than real charts need. */
const KEPT = 1 << 16;
/** By row, how the winding left of the tile differs from that of the row above. */
const leftSteps = new Int32Array(SIZE + 1);

/** Hands each run of pixels inside the rings to `paint` (row, from, to), by nonzero winding. */
export function fillSpans(
  rings: readonly Path[],
  paint: (row: number, from: number, to: number) => void,
): void {
  for (const ring of rings) addCrossings(ring);
  let left = 0;
  const crossings: number[] = [];
  for (let row = 0; row < SIZE; row++) {
    left += leftSteps[row]!;
    leftSteps[row] = 0;
    takeSorted(row, crossings);
    let winding = left;
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
    // What ends right of the tile was never noted.
    if (winding !== 0 && from < SIZE) paint(row, from, SIZE);
  }
  leftSteps[SIZE] = 0;
  count = 0;
  if (places.length > KEPT) makeRoom(KEPT);
}

/** The first pixel whose middle is not left of x, within the row. */
function firstPixel(x: number): number {
  const pixel = Math.ceil(x - 0.5);
  return pixel < 0 ? 0 : pixel > SIZE ? SIZE : pixel;
}

/** Where a ring crosses the middle of each row. Left of the tile only windings matter. */
function addCrossings(ring: Path): void {
  const n = ring.length;
  let xa = ring[n - 2]!;
  let ya = ring[n - 1]!;
  for (let i = 0; i < n; i += 2) {
    const xb = ring[i]!;
    const yb = ring[i + 1]!;
    if (ya !== yb && (xa < SIZE || xb < SIZE)) {
      // Always computed from the upper end, so that both neighbours get the same number.
      const isDown = ya < yb;
      const x0 = isDown ? xa : xb;
      const y0 = isDown ? ya : yb;
      const y1 = isDown ? yb : ya;
      const first = Math.max(0, Math.ceil(y0 - 0.5));
      const end = Math.min(SIZE, Math.ceil(y1 - 0.5));
      const direction = isDown ? 1 : -1;
      if (first >= end) {
        // Between two middles, or above or below the tile.
      } else if (xa <= 0 && xb <= 0) {
        leftSteps[first]! += direction;
        leftSteps[end]! -= direction;
      } else {
        if (count + SIZE > places.length) makeRoom(Math.max(KEPT, 2 * places.length));
        const slope = ((isDown ? xb : xa) - x0) / (y1 - y0);
        for (let row = first; row < end; row++) {
          places[count] = x0 + (row + 0.5 - y0) * slope;
          directions[count] = direction;
          befores[count] = lastOf[row]!;
          lastOf[row] = count++;
        }
      }
    }
    xa = xb;
    ya = yb;
  }
}

/** Room for so many crossings, with those found so far in it. */
function makeRoom(size: number): void {
  const [oldPlaces, oldDirections, oldBefores] = [places, directions, befores];
  places = new Float64Array(size);
  directions = new Int8Array(size);
  befores = new Int32Array(size);
  places.set(oldPlaces.subarray(0, count));
  directions.set(oldDirections.subarray(0, count));
  befores.set(oldBefores.subarray(0, count));
}

/** Takes a row's crossings out, x and direction by twos from left to right: rows have few. */
function takeSorted(row: number, into: number[]): void {
  into.length = 0;
  for (let at = lastOf[row]!; at !== NONE; at = befores[at]!) {
    const x = places[at]!;
    let j = into.length;
    into.push(x, 0);
    for (; j > 0 && into[j - 2]! > x; j -= 2) {
      into[j] = into[j - 2]!;
      into[j + 1] = into[j - 1]!;
    }
    into[j] = x;
    into[j + 1] = directions[at]!;
  }
  lastOf[row] = NONE;
}
