// The ground of each cell: what lies between the depth contours, and what people have built or dug.
// Built things follow the squares of the terrain's grid, so that they share its boundaries.

import type { Grid } from '../terrain/isobands.ts';

/** What a piece of ground is: `land`, `depth:<lower>:<upper>`, or a kind of structure. */
type GroundLabel = string;

/** Built or dug ground, as boxes in kilometres; later ones lie over earlier ones. */
export interface Structure {
  readonly label: GroundLabel;
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Leaves what is land already as it is. */
  readonly onlyInWater?: boolean;
}

/** Drying heights up to here are foreshore; what is higher is land. */
export const HIGH_WATER = 1.8;

/** The port of Wick at harbour scale. */
export const PORT_STRUCTURES: readonly Structure[] = [
  { label: 'dredged:8', box: [0.8, -0.5, 1.4, 1.1], onlyInWater: true },
  { label: 'dredged:6', box: [0.3, 1.1, 1.8, 1.9] },
  { label: 'quay', box: [0.2, 1.9, 2.4, 2.25] },
  { label: 'quay', box: [0.1, 1.1, 0.3, 2.25] },
  { label: 'quay', box: [0.3, 1.25, 0.75, 1.36] },
  { label: 'quay', box: [1.3, 1.25, 1.9, 1.36] },
  { label: 'quay', box: [1.8, 1.25, 1.95, 2.0] },
  { label: 'dredged:3', box: [1.95, 1.36, 2.4, 1.9] },
  { label: 'quay', box: [2.4, 1.36, 2.48, 2.25] },
  { label: 'pontoon', box: [2.03, 1.5, 2.08, 1.82] },
  { label: 'pontoon', box: [2.15, 1.5, 2.2, 1.82] },
  { label: 'pontoon', box: [2.27, 1.5, 2.32, 1.82] },
  { label: 'floating dock', box: [1.5, 1.5, 1.72, 1.62] },
  { label: 'hulk', box: [0.42, 1.68, 0.55, 1.74] },
  { label: 'quay', box: [-0.4, 1.45, 0.1, 1.6], onlyInWater: true },
];

export const APPROACH_STRUCTURES: readonly Structure[] = [
  { label: 'dredged:8', box: [0.8, -0.5, 1.6, 1.3], onlyInWater: true },
  { label: 'unsurveyed', box: [-20, -14, -14.4, -10] },
];

/** The label of each square of the grid that a structure takes, by `row * columns + column`. */
export function structuresOnGrid(
  structures: readonly Structure[],
  grid: Grid,
  toColumn: (east: number) => number,
  toRow: (north: number) => number,
): ReadonlyMap<number, Structure> {
  const squares = new Map<number, Structure>();
  for (const structure of structures) {
    const [west, south, east, north] = structure.box;
    const [fromColumn, toColumnEnd] = [
      toColumn(west),
      Math.max(toColumn(east), toColumn(west) + 1),
    ];
    const [fromRow, toRowEnd] = [toRow(south), Math.max(toRow(north), toRow(south) + 1)];
    for (let row = Math.max(0, fromRow); row < Math.min(grid.rows, toRowEnd); row++) {
      for (
        let column = Math.max(0, fromColumn);
        column < Math.min(grid.columns, toColumnEnd);
        column++
      ) {
        squares.set(row * grid.columns + column, structure);
      }
    }
  }
  return squares;
}
