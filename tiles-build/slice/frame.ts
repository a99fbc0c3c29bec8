// The plane in which the tiles of one zoom are cut: pixels of the projection for pictures, degrees
// for raw data. Cutting itself does not know which.

import type { Box } from '../../shared/geo/clip-box.ts';
import { latitudeAt, mercatorX, unboundedMercatorY } from '../../shared/geo/mercator.ts';
import { DEGREE, FULL_CIRCLE } from '../quilt/coverage.ts';

export interface Frame {
  readonly zoom: number;
  /** What tiles reach beyond their border, in the frame's units. */
  readonly buffer: number;
  /** Grid coordinates (see coverage.ts) to the frame's. */
  readonly x: (gridX: number) => number;
  readonly y: (gridY: number) => number;
  /** Tile column and row of a place; they run on beyond 180°, and beyond the map towards the poles. */
  readonly columnAt: (x: number) => number;
  readonly rowAt: (y: number) => number;
  /** Node z/x/y of a lower or the same zoom, with the buffer. */
  readonly box: (z: number, column: number, row: number) => Box;
}

/** Units of the finest grid along the world: zoom 16 of 4096 units, finer than any chart. */
const WORLD_UNITS = 2 ** 28;

/** Tiles of whole units; the same place gives the same unit whatever feature it belongs to. */
export function pictureFrame(zoom: number, unitsPerTile: number, buffer: number): Frame {
  const perWorld = 2 ** zoom * unitsPerTile;
  const shrink = WORLD_UNITS / perWorld;
  // Rounded twice on purpose: every zoom starts from the same whole places.
  const unit = (fraction: number) => Math.floor(Math.round(fraction * WORLD_UNITS) / shrink + 0.5);
  return {
    zoom,
    buffer,
    x: (gridX) => unit(mercatorX(gridX / DEGREE)),
    y: (gridY) => unit(unboundedMercatorY(-gridY / DEGREE)),
    columnAt: (x) => Math.floor(x / unitsPerTile),
    rowAt: (y) => Math.floor(y / unitsPerTile),
    box: (z, column, row) => {
      const size = 2 ** (zoom - z) * unitsPerTile;
      return {
        left: column * size - buffer,
        top: row * size - buffer,
        right: (column + 1) * size + buffer,
        bottom: (row + 1) * size + buffer,
      };
    },
  };
}

/** Tiles of the grid itself: no resolution is lost, and nothing reaches beyond the border. */
export function degreeFrame(zoom: number): Frame {
  const width = (z: number) => FULL_CIRCLE / 2 ** z;
  const rowTop = (z: number, row: number) => Math.round(-latitudeAt(row / 2 ** z) * DEGREE);
  return {
    zoom,
    buffer: 0,
    x: (gridX) => gridX,
    y: (gridY) => gridY,
    columnAt: (x) => Math.floor((x + FULL_CIRCLE / 2) / width(zoom)),
    rowAt: (y) => Math.floor(unboundedMercatorY(-y / DEGREE) * 2 ** zoom),
    box: (z, column, row) => ({
      left: Math.round(column * width(z) - FULL_CIRCLE / 2),
      right: Math.round((column + 1) * width(z) - FULL_CIRCLE / 2),
      top: rowTop(z, row),
      bottom: rowTop(z, row + 1),
    }),
  };
}
