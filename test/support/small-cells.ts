// Many small cells made by the S-57 writer: harbours of a fictional coast, side by side in a lattice, or in towns all
// over the world.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areaFeature, writeLayer } from './background-files.ts';
import { seededRandom } from './seeded-random.ts';
import { type WrittenPlan, writtenBytes } from './written-chart.ts';

/** Degrees along the side of a small cell. */
export const SMALL_CELL_DEGREES = 0.05;
/** Cells per side of a town. */
const TOWN = 5;

export type Corner = readonly [west: number, south: number];

/** South-west corners of cells side by side, in rows from the south. */
export function latticeOf(columns: number, rows: number, [west, south]: Corner): Corner[] {
  return Array.from({ length: columns * rows }, (_, i) => [
    west + (i % columns) * SMALL_CELL_DEGREES,
    south + Math.floor(i / columns) * SMALL_CELL_DEGREES,
  ]);
}

/** Corners of cells in towns of 25, all over the world between 60° south and 60° north. */
export function worldOf(count: number, seed: number): Corner[] {
  const random = seededRandom(seed);
  const corners: Corner[] = [];
  const taken = new Set<string>();
  while (corners.length < count) {
    const [column, row] = [Math.floor(random() * 1300), Math.floor(random() * 440)];
    if (taken.has(`${column}/${row}`)) continue;
    taken.add(`${column}/${row}`);
    const side = (TOWN + 0.4) * SMALL_CELL_DEGREES;
    corners.push(...latticeOf(TOWN, TOWN, [-178 + column * side, -60 + row * side]));
  }
  return corners.slice(0, count);
}

/** Write cells into a folder in the layout of an exchange set. @param first number of the first cell */
export function writeSmallCells(folder: string, corners: readonly Corner[], first = 0): void {
  for (const [i, corner] of corners.entries()) {
    const plan = smallCell(first + i, corner);
    const path = join(folder, plan.name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, `${plan.name}.000`), writtenBytes(plan));
  }
}

/** Write a background of one triangle of land, north-east of a corner. */
export function writeSmallBackground(folder: string, [west, south]: Corner): void {
  const ring = [
    [west, south],
    [west + 0.2, south],
    [west + 0.2, south + 0.2],
    [west, south],
  ] as const;
  writeLayer(folder, 'ne_10m_land', [areaFeature([ring])]);
}

/** A harbour of 16 squares of depths and land, with soundings, rocks and buoys. */
function smallCell(number: number, [west, south]: Corner): WrittenPlan {
  const random = seededRandom(number + 1);
  const squares = 4;
  const side = SMALL_CELL_DEGREES / squares;
  const at = () =>
    [
      west + (0.02 + 0.96 * random()) * SMALL_CELL_DEGREES,
      south + (0.02 + 0.96 * random()) * SMALL_CELL_DEGREES,
    ] as const;
  const edge = (from: number, i: number) => Math.round((from + i * side) * 1e7) / 1e7;
  const ground = Array.from({ length: squares * squares }, (_, i) => {
    const [column, row] = [i % squares, Math.floor(i / squares)];
    const box = [
      edge(west, column),
      edge(south, row),
      edge(west, column + 1),
      edge(south, row + 1),
    ] as const;
    const depth = Math.floor(random() * 20);
    return random() < 0.2
      ? (['LNDARE', box] as const)
      : (['DEPARE', box, { DRVAL1: depth, DRVAL2: depth + 5 }] as const);
  });
  const all = [edge(west, 0), edge(south, 0), edge(west, squares), edge(south, squares)] as const;
  return {
    name: `ZZ5${number.toString(36).toUpperCase().padStart(5, '0')}`,
    usageBand: 5,
    scaleDenominator: 10_000,
    areas: [['M_COVR', all, { CATCOV: 1 }], ...ground],
    points: Array.from({ length: 12 }, (_, i) =>
      i % 3 === 0
        ? (['BOYLAT', at(), { BOYSHP: 1, CATLAM: 1, COLOUR: '3' }] as const)
        : (['UWTROC', at(), { VALSOU: Math.round(random() * 100) / 10, WATLEV: 3 }] as const),
    ),
    soundings: Array.from(
      { length: 40 },
      () => [...at(), Math.round(random() * 200) / 10] as const,
    ),
  };
}
