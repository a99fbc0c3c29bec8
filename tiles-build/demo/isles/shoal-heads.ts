// Heads of shoals: each has a sounding, and the sharp ones are rocks.

import type { Sounding } from '../../../shared/s57/write/cell-builder.ts';
import type { HeightGrid } from '../terrain/height-grid.ts';
import { type DemoCell, paperMillimeter } from './cells.ts';
import { HIGH_WATER } from './ground.ts';
import { Spaces } from './spaces.ts';

/** Metres: deeper heads are not dangerous. */
const DEEPEST_HEAD = 60;
const DEEPEST_ROCK = 6;
/**
 * Minimum height of a rock above the surrounding ground in metres, and the distance in grid steps
 * at which it is measured.
 */
const ROCK_RISE = 2.2;
const AROUND = 3;
/** Millimetres on paper between rocks. */
const ROCK_SPACE = 5;

/** Grid points that are shoaler than all neighbours, the shoalest first. */
export function shoalHeads({ west, south, columns, rows, step, heights }: HeightGrid): Sounding[] {
  const heads: Sounding[] = [];
  const width = columns + 1;
  const near = [-2, -1, 0, 1, 2];
  for (let row = AROUND; row <= rows - AROUND; row++) {
    for (let column = AROUND; column <= columns - AROUND; column++) {
      const i = row * width + column;
      const height = heights[i]!;
      if (height > HIGH_WATER || height < -DEEPEST_HEAD) continue;
      if (height < heights[i - 1]! || height < heights[i + 1]!) continue;
      if (near.some((up) => near.some((right) => heights[i + up * width + right]! > height))) {
        continue;
      }
      heads.push({ position: [west + column * step, south + row * step], depth: -height });
    }
  }
  return heads.sort((a, b) => a.depth - b.depth);
}

/** Heads that are rocks: shallow, and much higher than the surrounding ground. */
export function rocksOf(cell: DemoCell, grid: HeightGrid): Sounding[] {
  if (cell.usageBand < 3) return [];
  const spaces = new Spaces(ROCK_SPACE * paperMillimeter(cell));
  const { west, south, columns, step, heights } = grid;
  return shoalHeads(grid).filter(({ position, depth }) => {
    const i = ((position[1] - south) / step) * (columns + 1) + (position[0] - west) / step;
    const up = AROUND * (columns + 1);
    const around = [i - AROUND, i + AROUND, i - up, i + up].map((j) => heights[j]!);
    return (
      depth < DEEPEST_ROCK &&
      around.every((height) => -depth - height > ROCK_RISE) &&
      spaces.take(position, ROCK_SPACE * paperMillimeter(cell))
    );
  });
}
