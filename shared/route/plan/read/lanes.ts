// Lanes of traffic separation schemes: their directions, and how a course uses them.

import { entryAt, partOf } from '../../cell-table.ts';
import { LANE_CODES, SEA_FLAGS } from '../../sea.ts';
import { spanWithin } from '../geometry/corridor.ts';
import { courseDegrees, type Point, WORLD_CELLS, WORLD_LEVEL } from '../geometry/plane.ts';
import { pointAt, rootsAlong } from './survey.ts';
import {
  CELL_LEVELS,
  FINEST_FLAG_LEVEL,
  flagsOfCell,
  indexIn,
  TOP_LEVEL,
  type View,
  type Water,
} from './water.ts';

const BEARING_STEP = 1.5;
const ALONG_DEGREES = 45;
const ACROSS_DEGREES = 120;

/** How a course uses a lane. */
type LaneUse = 'along' | 'across' | 'against';

export function laneUseOf(laneDegrees: number, courseDegrees: number): LaneUse {
  const apart = Math.abs(((((courseDegrees - laneDegrees) % 360) + 540) % 360) - 180);
  if (apart <= ALONG_DEGREES) return 'along';
  return apart <= ACROSS_DEGREES ? 'across' : 'against';
}

/** Direction of a lane, degrees; −1 if it is not known, or if several lanes meet. */
export const laneDegrees = (laneCode: number): number =>
  laneCode < LANE_CODES.meet ? laneCode * BEARING_STEP : -1;

const laneCodeOf = ({ square }: View, i: number): number => square.laneBearing?.[i] ?? 0;

/** Code of the lane at a cell, as finely as flags are read. */
export function laneAt(water: Water, x: number, y: number): number {
  const view = water.viewOfCell(x, y, FINEST_FLAG_LEVEL);
  const i = indexIn(view, 0, 0, x & (WORLD_CELLS - 1), y);
  const hasLane = (flagsOfCell(view, i) & SEA_FLAGS.lane) !== 0;
  return hasLane ? laneCodeOf(view, i) : LANE_CODES.none;
}

/** Whether a block that is a lane throughout has one direction. */
export function hasOneLane(water: Water, level: number, x: number, y: number): boolean {
  const left = (x & ((1 << (WORLD_LEVEL - level)) - 1)) << level;
  const view = water.viewOfCell(left, y << level, Math.max(FINEST_FLAG_LEVEL, level - 1));
  const { cellLevel, bits } = view;
  const side = 1 << Math.max(0, level - cellLevel - CELL_LEVELS + bits);
  const first = indexIn(view, 0, 0, left, y << level);
  const lane = laneCodeOf(view, first);
  for (let row = first; row < first + (side << bits); row += 1 << bits) {
    for (let i = row; i < row + side; i++) if (laneCodeOf(view, i) !== lane) return false;
  }
  return true;
}

/**
 * The first places where a leg crosses a lane, and where it goes against one. It crosses a lane of
 * unknown direction if it is in no other lane.
 */
export function lanesNotFollowed(
  water: Water,
  a: Point,
  b: Point,
): Partial<Record<'across' | 'against', Point>> {
  const course = courseDegrees(a, b);
  const first: Partial<Record<LaneUse | 'unknown', Point>> = {};
  const visit = (view: View, level: number, x: number, y: number): void => {
    const size = 1 << level;
    const span = spanWithin(a, b, { left: x * size, top: y * size, size });
    if (span === undefined) return;
    const { square, cells, cellLevel } = view;
    const above = level - cellLevel;
    const i = indexIn(view, above, level, x & (WORLD_CELLS / size - 1), y);
    if ((cells.anyFlags[entryAt(cells, above, i)]! & SEA_FLAGS.lane) === 0) return;
    const part = partOf(i, square.width);
    const isCoarse = cellLevel > FINEST_FLAG_LEVEL && square.hasFiner[part] === 1;
    if (above > 0 || isCoarse) {
      const below = above > 0 ? view : water.finerAt(view, part);
      for (let k = 0; k < 4; k++) visit(below, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1));
      return;
    }
    const degrees = laneDegrees(laneCodeOf(view, i));
    first[degrees < 0 ? 'unknown' : laneUseOf(degrees, course)] ??= pointAt(
      a,
      b,
      (span[0] + span[1]) / 2,
    );
  };
  for (const [x, y] of rootsAlong(a, b)) visit(water.rootAt(x & 3, y), TOP_LEVEL, x, y);
  const { along, across, against, unknown } = first;
  const crossed = across ?? (along === undefined ? unknown : undefined);
  return { ...(crossed && { across: crossed }), ...(against && { against }) };
}
