// Which tiles exist at all. The same answer for every owner: if one makes a tile, all who own
// ground in it must, or the tile would hide part of the chart (the rule of complete tiles).

import type { Box } from '../../shared/geo/clip-box.ts';
import { BoxGrid } from './box-grid.ts';
import type { MakerBox } from './maker-box.ts';

/** Tiles of the background alone are made down to here; deeper ones come from their ancestor. */
export const BACKGROUND_MAX_ZOOM = 6;

/**
 * Whether tiles of `zoom` are made within the node z/x/y of a lower or the same zoom; x may run
 * past the world's width, as it does for cells beyond 180°.
 */
export type IsMade = (zoom: number, z: number, x: number, y: number) => boolean;

/** Vector and shoreline tiles: wherever a cell's box meets the tile and its band reaches so deep. */
export function madeVectorTiles(makers: readonly MakerBox[]): IsMade {
  const grid = gridOf(makers);
  return (zoom, z, x, y) =>
    zoom <= BACKGROUND_MAX_ZOOM ||
    grid.some(boxOfTile(z, x, y), ({ maker }) => maker.maxZoom >= zoom);
}

/**
 * Zooms at which raw data are stored. All show the same, the finest cell everywhere; the deeper ones
 * are there so that no request has to read much more than it answers with.
 */
export const RAW_ZOOMS: readonly number[] = [10, 11, 12, 14];

/** The last zoom that a raw tile answers for where deeper ones are made; its own at the deepest. */
export const lastServedFrom = (zoom: number): number =>
  (RAW_ZOOMS.find((stored) => stored > zoom) ?? zoom + 1) - 1;

/**
 * Raw tiles: at the least zoom wherever there are data. Deeper, all tiles below one of two zooms up
 * that a band touches which is first shown there or soon after: also those beside that band, or a
 * request for their few data would have to read all of a harbour's.
 */
export function madeRawTiles(makers: readonly MakerBox[]): IsMade {
  const grid = gridOf(makers);
  return (zoom, z, x, y) => {
    if (zoom === RAW_ZOOMS[0]) return grid.some(boxOfTile(z, x, y), () => true);
    const up = 2 ** Math.max(0, z - rawAnchor(zoom));
    const [column, row] = [Math.floor(x / up), Math.floor(y / up)];
    return grid.some(
      boxOfTile(Math.min(z, rawAnchor(zoom)), column, row),
      ({ maker }) => maker.minZoom >= zoom - 1,
    );
  };
}

/** Zoom of the tiles below which raw tiles of a zoom are made all or none. */
const rawAnchor = (zoom: number): number => Math.max(RAW_ZOOMS[0]!, zoom - 2);

/** About the size of a harbour chart. */
const GRID_SIZE = 2 ** -12;

const gridOf = (makers: readonly MakerBox[]) =>
  new BoxGrid(
    makers.map((maker) => ({ box: maker, maker })),
    GRID_SIZE,
  );

/** A tile, with its borders, in units of the Mercator square. */
function boxOfTile(z: number, x: number, y: number): Box {
  const size = 2 ** z;
  return { left: x / size, right: (x + 1) / size, top: y / size, bottom: (y + 1) / size };
}
