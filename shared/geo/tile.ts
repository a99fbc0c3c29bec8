// Tiles of the XYZ scheme: ranges, parents, bounds.

import { latitudeAt, longitudeAt } from './mercator.ts';

export interface TileId {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Whether x and y exist at zoom z. */
export function isTileInRange({ z, x, y }: TileId): boolean {
  const size = 2 ** z;
  return z >= 0 && x >= 0 && y >= 0 && x < size && y < size;
}

/** What is added to twice a tile's column and row for the four tiles of the next zoom within it. */
export const QUARTERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** The tile at a lower zoom that holds this one. */
export function ancestor({ z, x, y }: TileId, zoom: number): TileId {
  const factor = 2 ** (z - zoom);
  return { z: zoom, x: Math.floor(x / factor), y: Math.floor(y / factor) };
}

/** West, south, east, north in degrees. */
export function tileBounds({ z, x, y }: TileId): readonly [number, number, number, number] {
  const size = 2 ** z;
  return [
    longitudeAt(x / size),
    latitudeAt((y + 1) / size),
    longitudeAt((x + 1) / size),
    latitudeAt(y / size),
  ];
}
