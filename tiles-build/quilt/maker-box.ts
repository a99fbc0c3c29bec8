// Where cells make tiles: their boxes, and the same told by fewer. What is asked of a box is which
// tiles it touches, so boxes of one band that touch the tiles of one rectangle are one.

import type { Box } from '../../shared/geo/clip-box.ts';

/** A cell's box in units of the Mercator square, and the zooms of its band. */
export interface MakerBox extends Box {
  readonly minZoom: number;
  readonly maxZoom: number;
}

/** Columns and rows of tiles, the last ones included. */
interface Tiles {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Fewer boxes that touch the same tiles: at `maxZoom` of each, at `zoom`, and at all zooms before.
 * Thousands of cells side by side become a few boxes.
 */
export function fewerMakers(makers: readonly MakerBox[], zoom: number): readonly MakerBox[] {
  const bands = new Map<string, MakerBox[]>();
  for (const maker of makers) {
    const key = `${maker.minZoom} ${maker.maxZoom}`;
    const list = bands.get(key);
    if (list === undefined) bands.set(key, [maker]);
    else list.push(maker);
  }
  return [...bands.values()].flatMap((band) => {
    const { minZoom, maxZoom } = band[0]!;
    const size = 2 ** Math.max(maxZoom, zoom);
    const tiles = band.map((maker) => tilesTouched(maker, size));
    return joined(joined(tiles, 'x'), 'y').map(({ left, right, top, bottom }) => ({
      // Within the first and the last tile, so that none beside them is touched.
      left: (left + 0.5) / size,
      right: (right + 0.5) / size,
      top: (top + 0.5) / size,
      bottom: (bottom + 0.5) / size,
      minZoom,
      maxZoom,
    }));
  });
}

/** A box that ends on the border of a tile touches the next one too. */
function tilesTouched({ left, right, top, bottom }: Box, size: number): Tiles {
  return {
    left: Math.ceil(left * size - 1),
    right: Math.floor(right * size),
    top: Math.ceil(top * size - 1),
    bottom: Math.floor(bottom * size),
  };
}

/** Rectangles that go on from one another in one direction, as one. */
function joined(all: readonly Tiles[], direction: 'x' | 'y'): Tiles[] {
  const [first, last, side, otherSide] =
    direction === 'x'
      ? (['left', 'right', 'top', 'bottom'] as const)
      : (['top', 'bottom', 'left', 'right'] as const);
  const sorted = [...all].sort(
    (a, b) => a[side] - b[side] || a[otherSide] - b[otherSide] || a[first] - b[first],
  );
  const found: Tiles[] = [];
  for (const tiles of sorted) {
    const before = found.at(-1);
    if (
      before !== undefined &&
      before[side] === tiles[side] &&
      before[otherSide] === tiles[otherSide] &&
      tiles[first] <= before[last] + 1
    ) {
      before[last] = Math.max(before[last], tiles[last]);
    } else found.push({ ...tiles });
  }
  return found;
}
