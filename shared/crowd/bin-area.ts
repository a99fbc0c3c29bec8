// The place of bins, and the tiles that hold the bins of a box.

import { latitudeAt, longitudeAt, mercatorX, mercatorY } from '../geo/mercator.ts';
import type { TileId } from '../geo/tile.ts';
import type { PlacedBin } from './bin.ts';

/** Degrees; west is greater than east if the box crosses 180°. */
export interface CrowdBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

type Place = Pick<PlacedBin, 'zoom' | 'x' | 'y'>;

/** Degrees. */
export function binCentre({ zoom, x, y }: Place): { longitude: number; latitude: number } {
  const side = 2 ** -zoom;
  return { longitude: longitudeAt((x + 0.5) * side), latitude: latitudeAt((y + 0.5) * side) };
}

/** Whether the centre of a bin is in a box. */
export const isBinIn = (box: CrowdBox, bin: Place): boolean => isInBox(box, binCentre(bin));

/** Whether a position is in a box. */
export function isInBox(
  { west, south, east, north }: CrowdBox,
  { longitude, latitude }: ReturnType<typeof binCentre>,
): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east
    ? longitude >= west && longitude <= east
    : longitude >= west || longitude <= east;
}

/** Columns and rows of the tiles of a zoom that touch a box; columns continue beyond 2^z across 180°. */
export function tileSpan({ west, south, east, north }: CrowdBox, zoom: number) {
  const size = 2 ** zoom;
  const index = (share: number) => Math.max(0, Math.min(Math.floor(share * size), size - 1));
  const left = index(mercatorX(west));
  const right = index(mercatorX(east));
  return {
    left,
    // Both ends of a box almost around the world can be in the same tile, which counts once.
    right: west <= east ? right : Math.min(right + size, left + size - 1),
    top: index(mercatorY(north)),
    bottom: index(mercatorY(south)),
  };
}

/** The tiles of a zoom that touch a box, each once; `undefined` if there are more than `most`. */
export function tilesOfBox(box: CrowdBox, zoom: number, most: number): TileId[] | undefined {
  const { left, right, top, bottom } = tileSpan(box, zoom);
  if ((right - left + 1) * (bottom - top + 1) > most) return undefined;
  const tiles: TileId[] = [];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) tiles.push({ z: zoom, x: x % 2 ** zoom, y });
  }
  return tiles;
}
