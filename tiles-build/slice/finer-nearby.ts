// Where a chart that is drawn far larger than it was compiled needs a warning: beside better data, as
// a reader takes all that one picture shows to be equally good. Elsewhere all is equally coarse.

import { type Box, boundsOf, boxesMeet, clipRing, type Flat } from '../../shared/geo/clip-box.ts';
import type { Frame } from './frame.ts';

/**
 * Tiles around one in which better data counts. A tile is 512 pixels of a map: so a picture of up to
 * a thousand pixels that shows both charts shows the warning on all of the coarser.
 */
const REACH_TILES = 2;

/**
 * Tells whether charts of larger scales show within the reach of a tile.
 *
 * @param finer their ground, each as rings on the grid
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
