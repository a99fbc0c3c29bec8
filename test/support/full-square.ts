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
  const step = SQUARE_CELLS / width;
  return (plane.constructor as typeof Uint16Array).from(
    { length: SQUARE_CELLS * SQUARE_CELLS },
    (_, i) =>
      plane[Math.floor((i >> 8) / step) * width + Math.floor((i & (SQUARE_CELLS - 1)) / step)]!,
  );
}
