// Lanes of traffic separation schemes and one-way fairways: their directions, and how a course uses
// them.

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
/**
 * A metre against a one-way fairway counts as this part of a metre against a lane. Rivers and harbour
 * entrances are often one-way fairways, and the only way.
 */
const ONE_WAY_PART = 3 / 19;

/** Flags of cells with a direction. */
export const DIRECTED = SEA_FLAGS.lane | SEA_FLAGS.oneWay;

/** How a course uses a cell. `meeting`: lanes, or one-way fairways, of different directions meet there. */
export type LaneUse =
  | 'free'
  | 'along'
  | 'across'
  | 'against'
  | 'unknown'
  | 'meeting'
  | 'againstOneWay'
  | 'meetingOneWay';

const laneCodeOf = ({ square }: View, i: number): number => square.laneBearing?.[i] ?? 0;

function useOf(view: View, i: number, course: number): LaneUse {
  const flags = flagsOfCell(view, i);
  if ((flags & DIRECTED) === 0) return 'free';
  const isLane = (flags & SEA_FLAGS.lane) !== 0;
  const code = laneCodeOf(view, i);
  if (code >= LANE_CODES.meet) {
    const meets = code === LANE_CODES.meet;
    if (!isLane) return meets ? 'meetingOneWay' : 'free';
    return meets ? 'meeting' : 'unknown';
  }
  const apart = Math.abs(((((course - code * BEARING_STEP) % 360) + 540) % 360) - 180);
  if (!isLane) return apart > ACROSS_DEGREES ? 'againstOneWay' : 'free';
  if (apart <= ALONG_DEGREES) return 'along';
  return apart <= ACROSS_DEGREES ? 'across' : 'against';
}

/**
 * How a course uses the lane or one-way fairway at a cell, at the resolution of the flags. `against`
 * is the part of the course opposite to its direction, 0 to 1; less for a one-way fairway.
 */
export function laneUseAt(
  water: Water,
  x: number,
  y: number,
  course: number,
): { readonly use: LaneUse; readonly against: number } {
  const view = water.viewOfCell(x, y, FINEST_FLAG_LEVEL);
  const i = indexIn(view, 0, 0, x & (WORLD_CELLS - 1), y);
  const code = laneCodeOf(view, i);
  const flags = flagsOfCell(view, i);
  const isDirected = code < LANE_CODES.meet && (flags & DIRECTED) !== 0;
  const cosine = isDirected ? Math.cos((course - code * BEARING_STEP) * (Math.PI / 180)) : 1;
  const part = (flags & SEA_FLAGS.lane) !== 0 ? 1 : ONE_WAY_PART;
  return { use: useOf(view, i, course), against: part * Math.max(0, -cosine) };
}

/** Whether a block has one direction. All its cells must be of a lane or a one-way fairway. */
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
 * The first place where a leg crosses a lane, goes against a lane, or goes against a one-way fairway.
 * Lanes of unknown direction, and places where lanes meet, count as crossed unless the leg follows
 * another lane.
 */
export function lanesNotFollowed(
  water: Water,
  a: Point,
  b: Point,
): Partial<Record<LaneUse, Point>> {
  const course = courseDegrees(a, b);
  const first: Partial<Record<LaneUse, Point>> = {};
  const visit = (view: View, level: number, x: number, y: number): void => {
    const size = 1 << level;
    const span = spanWithin(a, b, { left: x * size, top: y * size, size });
    if (span === undefined) return;
    const { square, cells, cellLevel } = view;
    const above = level - cellLevel;
    const i = indexIn(view, above, level, x & (WORLD_CELLS / size - 1), y);
    if ((cells.anyFlags[entryAt(cells, above, i)]! & DIRECTED) === 0) return;
    const part = partOf(i, square.width);
    const isCoarse = cellLevel > FINEST_FLAG_LEVEL && square.hasFiner[part] === 1;
    if (above > 0 || isCoarse) {
      const below = above > 0 ? view : water.finerAt(view, part);
      for (let k = 0; k < 4; k++) visit(below, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1));
      return;
    }
    first[useOf(view, i, course)] ??= pointAt(a, b, (span[0] + span[1]) / 2);
  };
  for (const [x, y] of rootsAlong(a, b)) visit(water.rootAt(x & 3, y), TOP_LEVEL, x, y);
  const { along, across, unknown, meeting } = first;
  const crossed = across ?? (along === undefined ? (unknown ?? meeting) : undefined);
  return { ...first, ...(crossed && { across: crossed }) };
}
