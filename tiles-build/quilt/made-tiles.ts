// Which tiles exist at all. The same answer for every owner: if one makes a tile, all who own
// ground in it must, or the tile would hide part of the chart (the rule of complete tiles).

import type { MakerBox } from './ownership.ts';

/** Tiles of the background alone are made down to here; deeper ones come from their ancestor. */
export const BACKGROUND_MAX_ZOOM = 6;

/**
 * Whether tiles of `zoom` are made within the node z/x/y of a lower or the same zoom; x may run
 * past the world's width, as it does for cells beyond 180°.
 */
export type IsMade = (zoom: number, z: number, x: number, y: number) => boolean;

/** Vector and shoreline tiles: wherever a cell's box meets the tile and its band reaches so deep. */
export function madeVectorTiles(makers: readonly MakerBox[]): IsMade {
  return (zoom, z, x, y) =>
    zoom <= BACKGROUND_MAX_ZOOM ||
    makers.some((box) => box.maxZoom >= zoom && touches(box, z, x, y));
}

/** Zooms at which raw data are stored: the contract's least zoom and the first of finer bands. */
export const RAW_ZOOMS: readonly number[] = [10, 11, 13, 15];

/** Raw tiles: at the least zoom wherever there are data, deeper where a finer band begins. */
export function madeRawTiles(makers: readonly MakerBox[]): IsMade {
  return (zoom, z, x, y) =>
    makers.some((box) => (zoom === RAW_ZOOMS[0] || box.minZoom >= zoom) && touches(box, z, x, y));
}

function touches(box: MakerBox, z: number, x: number, y: number): boolean {
  const size = 2 ** z;
  return (
    box.left * size <= x + 1 &&
    box.right * size >= x &&
    box.top * size <= y + 1 &&
    box.bottom * size >= y
  );
}
