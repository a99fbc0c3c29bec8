// Which tiles are made. The answer is the same for every owner: if one owner makes a tile, all
// owners of ground in it must make it, or the tile would hide part of the chart (the rule of
// complete tiles).

import type { Box } from '../../shared/geo/clip-box.ts';
import { BoxGrid } from './box-grid.ts';
import type { MakerBox } from './maker-box.ts';

/**
 * Last zoom at which tiles of the background alone are made; deeper ones are cut from their
 * ancestor.
 */
export const BACKGROUND_MAX_ZOOM = 6;

/**
 * Whether tiles of `zoom` are made inside the tile z/x/y of a lower or the same zoom. x may exceed
 * the width of the world, for cells beyond 180°.
 */
export type IsMade = (zoom: number, z: number, x: number, y: number) => boolean;

/**
 * Vector and shoreline tiles: made if the box of a cell whose band reaches this zoom meets the
 * tile.
 */
export function madeVectorTiles(makers: readonly MakerBox[]): IsMade {
  const grid = gridOf(makers);
  return (zoom, z, x, y) =>
    zoom <= BACKGROUND_MAX_ZOOM ||
    grid.some(boxOfTile(z, x, y), ({ maker }) => maker.maxZoom >= zoom);
}

/**
 * Zooms at which raw data are stored. All contain the same: the finest cell everywhere. The deeper
 * ones exist so that a request for a small tile reads little more than its response.
 */
export const RAW_ZOOMS: readonly number[] = [10, 11, 12, 14];

/** The last zoom served from a stored raw zoom; the deepest stored zoom serves itself. */
export const lastServedFrom = (zoom: number): number =>
  (RAW_ZOOMS.find((stored) => stored > zoom) ?? zoom + 1) - 1;

/**
 * Raw tiles: at the lowest stored zoom wherever there are data. At deeper zooms, all tiles below a
 * tile two zooms up that meets a band first shown at about this zoom; this includes tiles next to
 * that band, so that a request for their few data does not read all data of a harbour.
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

/** Zoom of the tiles below which either all or no raw tiles of a zoom are made. */
const rawAnchor = (zoom: number): number => Math.max(RAW_ZOOMS[0]!, zoom - 2);

/** About the size of a harbour chart. */
const GRID_SIZE = 2 ** -12;

const gridOf = (makers: readonly MakerBox[]) =>
  new BoxGrid(
    makers.map((maker) => ({ box: maker, maker })),
    GRID_SIZE,
  );

/** A tile including its borders, in units of the Mercator square. */
export function boxOfTile(z: number, x: number, y: number): Box {
  const size = 2 ** z;
  return { left: x / size, right: (x + 1) / size, top: y / size, bottom: (y + 1) / size };
}
