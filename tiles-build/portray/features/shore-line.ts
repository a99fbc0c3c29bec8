// The line style of a shoreline construction (after S-52 SLCONS04). Ruined, unfinished and covered constructions are
// not drawn as berthing walls.

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/** Line styles of the tiles (property `ln`). */
export const DOTTED = 0;
export const DASHED = 1;
export const SOLID = 2;

// CATSLC 6: wharf (quay), 15: solid face wharf, 16: open face wharf.
const BERTHING_WALLS: ReadonlySet<number> = new Set([6, 15, 16]);

export function shoreLine(attributes: Attributes): number {
  const condition = numberOf(attributes, 'CONDTN');
  const waterLevel = numberOf(attributes, 'WATLEV');
  // 1: under construction, 2: ruined.
  if (condition === 1 || condition === 2) return DASHED;
  // 3: always under water, 4: covers and uncovers, 5: awash.
  if (waterLevel === 3) return DOTTED;
  if (BERTHING_WALLS.has(numberOf(attributes, 'CATSLC') ?? 0)) return SOLID;
  return waterLevel === 4 || waterLevel === 5 ? DASHED : SOLID;
}
