// XYZ tiles: validity, ancestors and bounds.

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

/** Offsets of the four child tiles from twice the column and row. */
export const QUARTERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** The ancestor of a tile at a lower zoom. */
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
