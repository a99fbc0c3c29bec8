// Adds rocks from the terrain.

import type { CellBuilder, Sounding } from '../../../shared/s57/write/cell-builder.ts';
import type { DemoCell } from './cells.ts';
import { numberOf } from './identity.ts';

/** WATLEV. */
const WATER_LEVEL = { alwaysUnder: 3, coversAndUncovers: 4, awash: 5 } as const;
/** Metres above and below chart datum within which a rock is awash. */
const AWASH = 0.2;

/**
 * Adds rocks under water and awash.
 * @param rocks their positions, and the depths of their heads in metres
 */
export function addRocks(builder: CellBuilder, cell: DemoCell, rocks: readonly Sounding[]): void {
  for (const { position, depth } of rocks) {
    const level =
      Math.abs(depth) <= AWASH ? 'awash' : depth < 0 ? 'coversAndUncovers' : 'alwaysUnder';
    builder.point(numberOf(`${cell.name} rock ${position}`), 'UWTROC', position, {
      WATLEV: WATER_LEVEL[level],
      VALSOU: level === 'awash' ? 0 : Math.floor(depth * 10) / 10,
      QUASOU: 6,
    });
  }
}
