// The line style of a shore construction: ruined, unfinished or covered ones are not drawn as a
// wall to berth at (S-52 SLCONS04 in our own words).

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/** Line styles of the tiles (property `ln`). */
export const DOTTED = 0;
export const DASHED = 1;
export const SOLID = 2;

// CATSLC: wharf or quay, and other walls for berthing.
const BERTHING_WALLS: ReadonlySet<number> = new Set([6, 15, 16]);

export function shoreLine(attributes: Attributes): number {
  const condition = numberOf(attributes, 'CONDTN');
  const waterLevel = numberOf(attributes, 'WATLEV');
  // 1: under construction, 2: ruined.
  if (condition === 1 || condition === 2) return DASHED;
  if (waterLevel === 3) return DOTTED;
  if (BERTHING_WALLS.has(numberOf(attributes, 'CATSLC') ?? 0)) return SOLID;
  return waterLevel === 4 || waterLevel === 5 ? DASHED : SOLID;
}
