// Heights at the points of a grid over a cell. Contours, depth areas and soundings are all derived
// from it, so that they agree.

import type { Position } from '../../../shared/s57/write/cell-builder.ts';

/** A grid over a box; positions and steps in 1e-7 degrees. */
export interface Grid {
  readonly west: number;
  readonly south: number;
  /** Number of squares from west to east, and from south to north. */
  readonly columns: number;
  readonly rows: number;
  readonly step: number;
}

export interface HeightGrid extends Grid {
  /** Metres above chart datum, indexed by `row * (columns + 1) + column` from the south-west. */
  readonly heights: Float64Array;
}

/** Samples the height at every point of a grid; positions in 1e-7 degrees. */
export function sampleHeights(grid: Grid, heightAt: (x: number, y: number) => number): HeightGrid {
  const { west, south, columns, rows, step } = grid;
  const heights = new Float64Array((columns + 1) * (rows + 1));
  for (let row = 0, i = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++, i++) {
      heights[i] = heightAt(west + column * step, south + row * step);
    }
  }
  return { ...grid, heights };
}

/** Height within the grid, interpolated between the four nearest points. */
export function heightOn(grid: HeightGrid, [x, y]: Position): number {
  const { west, south, columns, rows, step, heights } = grid;
  const [across, up] = [(x - west) / step, (y - south) / step];
  const column = Math.min(columns - 1, Math.max(0, Math.floor(across)));
  const row = Math.min(rows - 1, Math.max(0, Math.floor(up)));
  const [u, v] = [across - column, up - row];
  const i = row * (columns + 1) + column;
  const above = i + columns + 1;
  const southern = heights[i]! + (heights[i + 1]! - heights[i]!) * u;
  const northern = heights[above]! + (heights[above + 1]! - heights[above]!) * u;
  return southern + (northern - southern) * v;
}
