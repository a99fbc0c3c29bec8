// The plane in which the tiles of one zoom are cut: tile units for vector tiles, degrees for raw
// data. The cutting code is the same for both.

import type { Box } from '../../shared/geo/clip-box.ts';
import { latitudeAt, mercatorX, unboundedMercatorY } from '../../shared/geo/mercator.ts';
import { DEGREE, FULL_CIRCLE } from '../quilt/coverage.ts';

export interface Frame {
  readonly zoom: number;
  /** Width beyond the border of a tile that is included, in units of the frame. */
  readonly buffer: number;
  /** Converts grid coordinates (see coverage.ts) to those of the frame. */
  readonly x: (gridX: number) => number;
  readonly y: (gridY: number) => number;
  /**
   * Tile column and row of a position; they continue beyond 180° and beyond the map towards the
   * poles.
   */
  readonly columnAt: (x: number) => number;
  readonly rowAt: (y: number) => number;
  /** The box of the tile z/x/y of a lower or the same zoom, with the buffer. */
  readonly box: (z: number, column: number, row: number) => Box;
}

/**
 * Units of the finest grid around the world: zoom 16 with 4096 units per tile, finer than any
 * chart.
 */
const WORLD_UNITS = 2 ** 28;

/** Tiles with whole units; a position always gives the same unit, in whichever feature. */
export function pictureFrame(zoom: number, unitsPerTile: number, buffer: number): Frame {
  const perWorld = 2 ** zoom * unitsPerTile;
  const shrink = WORLD_UNITS / perWorld;
  // Rounded twice, so that all zooms start from the same integer positions.
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

/** Tiles in grid coordinates: without loss of resolution and without a buffer. */
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
