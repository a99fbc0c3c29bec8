// Whether a corridor is free. Walks over the blocks of the sea from coarse to fine, and stops at
// the first block that is not free.

import { BLOCKED, FREE } from '../geometry/blocks.ts';
import { type Corridor, touchesBlock } from '../geometry/corridor.ts';
import type { Detail } from '../read/detail.ts';
import { TOP_LEVEL, type Water } from '../read/water.ts';

/** How finely the blocks are examined. */
export interface WaterQuery {
  readonly water: Water;
  readonly detail: Detail;
  /** Level of the smallest blocks. */
  readonly finest: number;
  /** Whether mixed blocks of this level count as free. By default they count as blocked. */
  readonly isMixedFree?: boolean;
}

/** Whether every block that a corridor touches is free. */
export function isCorridorFree(query: WaterQuery, corridor: Corridor): boolean {
  const { ax, ay, bx, by, halfWidth } = corridor;
  const width = Math.max(Math.abs(bx - ax), Math.abs(by - ay)) + 2 * halfWidth;
  const level = Math.min(TOP_LEVEL, Math.max(0, Math.ceil(Math.log2(width))));
  const size = 1 << level;
  const right = Math.floor((Math.max(ax, bx) + halfWidth) / size);
  const bottom = Math.floor((Math.max(ay, by) + halfWidth) / size);
  for (let y = Math.floor((Math.min(ay, by) - halfWidth) / size); y <= bottom; y++) {
    for (let x = Math.floor((Math.min(ax, bx) - halfWidth) / size); x <= right; x++) {
      if (!isCorridorFreeIn(query, corridor, level, x, y)) return false;
    }
  }
  return true;
}

/** Like isCorridorFree, for the part of the corridor inside a block. */
export function isCorridorFreeIn(
  look: WaterQuery,
  corridor: Corridor,
  level: number,
  x: number,
  y: number,
): boolean {
  const size = 1 << level;
  if (!touchesBlock(corridor, x * size, y * size, size)) return true;
  const kind = look.water.classOf(level, x, y);
  if (kind === FREE) return true;
  if (kind === BLOCKED) return false;
  if (level <= look.finest) return look.isMixedFree === true;
  if (!look.detail.mayDivide(level, x, y)) return false;
  return (
    isCorridorFreeIn(look, corridor, level - 1, 2 * x, 2 * y) &&
    isCorridorFreeIn(look, corridor, level - 1, 2 * x + 1, 2 * y) &&
    isCorridorFreeIn(look, corridor, level - 1, 2 * x, 2 * y + 1) &&
    isCorridorFreeIn(look, corridor, level - 1, 2 * x + 1, 2 * y + 1)
  );
}
