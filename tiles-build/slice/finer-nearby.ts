// Decides where a chart drawn far above its compilation scale needs a warning: next to better data,
// because readers assume that all data in a picture are equally good.

import { type Box, boundsOf, boxesMeet, clipRing, type Flat } from '../../shared/geo/clip-box.ts';
import type { Frame } from './frame.ts';

/**
 * Better data count within this many tiles. A tile is 512 pixels, so a picture of up to a thousand
 * pixels that contains both charts shows the warning on all of the coarser one.
 */
const REACH_TILES = 2;

/**
 * Returns a function that reports whether charts of larger scales are within reach of a tile.
 * @param finer ground of each finer chart, as rings on the grid
 * @param unitsPerTile of the frame
 */
export function finerNearby(
  finer: readonly (readonly Flat[])[],
  frame: Frame,
  unitsPerTile: number,
): (column: number, row: number) => boolean {
  const grounds = finer.map((rings) => {
    const placed = rings.map((ring) =>
      ring.map((value, i) => (i % 2 === 0 ? frame.x(value) : frame.y(value))),
    );
    return { rings: placed, box: boundsOf(placed) };
  });
  return (column, row) => {
    const around = grown(frame.box(frame.zoom, column, row), REACH_TILES * unitsPerTile);
    return grounds.some(
      ({ rings, box }) =>
        boxesMeet(box, around) && rings.some((ring) => clipRing(ring, around).length > 0),
    );
  };
}

const grown = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});
