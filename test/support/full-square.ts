// A square whose planes have one value for each of its 256 × 256 cells.

import { type SeaSquare, SQUARE_CELLS } from '../../shared/route/sea.ts';

/** Cache: squares in full. */
const known = new WeakMap<SeaSquare, SeaSquare>();

export function fullSquare(square: SeaSquare): SeaSquare {
  const { width = SQUARE_CELLS, ...rest } = square;
  let full = known.get(square);
  if (full === undefined) {
    const planes = (['leastDepth', 'mostDepth', 'clearance', 'flags', 'laneBearing'] as const)
      .filter((name) => square[name] !== undefined)
      .map((name) => [name, inFull(square[name]!, width)] as const);
    full = { ...rest, ...Object.fromEntries(planes) };
    known.set(square, full);
  }
  return full;
}

function inFull(plane: Uint8Array | Uint16Array, width: number): Uint8Array | Uint16Array {
  if (width === SQUARE_CELLS) return plane;
  const step = SQUARE_CELLS / width;
  const full = new (plane.constructor as typeof Uint16Array)(SQUARE_CELLS * SQUARE_CELLS);
  for (let row = 0; row < SQUARE_CELLS; row++) {
    const from = Math.floor(row / step) * width;
    for (let column = 0; column < width; column++) {
      const start = row * SQUARE_CELLS + column * step;
      full.fill(plane[from + column]!, start, start + step);
    }
  }
  return full;
}
