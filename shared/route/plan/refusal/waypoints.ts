// Whether a waypoint is safe for the vessel, and the reason if it is not.

import { entryAt } from '../../cell-table.ts';
import { clearanceOfCode, depthOfCode, NEVER_DEEP } from '../../depth-code.ts';
import { HAZARD_KINDS, SEA_FLAGS } from '../../sea.ts';
import type { Failure } from '../../trip.ts';
import { greatCircleMeters, type Point, unwrapNear, WORLD_CELLS } from '../geometry/plane.ts';
import { FULL_DETAIL } from '../read/detail.ts';
import type { Needs } from '../read/needs.ts';
import { indexIn, type Water } from '../read/water.ts';
import { hazardGridOf } from '../sight/hazard-grid.ts';
import { LineOfSight, type UnsafeEdge } from '../sight/line-of-sight.ts';
import { noticesAlong } from '../warnings/notices.ts';
import { cellText, hazardText, inBrackets, neededText, noticeText } from '../warnings/texts.ts';

/** Maximum distance, in cells, at which the border of the area around a point is searched. */
const REASON_WITHIN_CELLS = 4096;

type BadCode = Failure['code'];

export interface BadPlace {
  readonly code: BadCode;
  /** The reason, as text that follows "Waypoint 3 ". */
  readonly reason: string;
}

export const isBeyondMap = ({ y }: Point): boolean => y <= 0 || y >= WORLD_CELLS;

/** The reason why a point is unsafe; `undefined` if it is safe. */
export function whatIsWrongAt(water: Water, point: Point): BadPlace | undefined {
  const { needs } = water;
  if (isBeyondMap(point)) {
    return { code: 'OUTSIDE_COVERAGE', reason: 'lies outside the charts' };
  }
  const lineOfSight = new LineOfSight(water, FULL_DETAIL);
  if (lineOfSight.isClear(point, point)) return undefined;
  if (lineOfSight.isFreeByCells(point, point)) {
    const edge = lineOfSight.unsafeAlong(point, point);
    const near = edge && nearnessOf(point, edge, needs);
    const what = edge === undefined ? 'danger' : hazardText(edge.view.square.hazards, edge.edge);
    const reason = near ?? `lies less than ${needs.lateralMeters} m from ${what}`;
    return { code: 'WAYPOINT_NEAR_DANGER', reason };
  }
  if (water.isInAvoidedArea(point)) {
    return { code: 'WAYPOINT_IN_PROHIBITED_AREA', reason: 'lies in an area to stay out of' };
  }
  return wrongOfCell(lineOfSight, point);
}

/** What one of the trip's needs forbids, and the text for a message. */
interface Obstacle extends BadPlace {
  /** The needs of a vessel without this restriction. */
  readonly without: Partial<Needs>;
}

const ALLOW_UNKNOWN = '`safety.allowUnknownDepth` would allow it';

/** The reason among all properties of a cell that makes a point unsafe. */
function wrongOfCell(lineOfSight: LineOfSight, point: Point): BadPlace {
  const { water } = lineOfSight;
  const obstacles = obstaclesIn(lineOfSight, point);
  // A cell contains the properties of everything that touches it. If removing a single one makes
  // the point safe, it is the reason. If several are needed, each is a reason.
  const only = obstacles.filter(({ without }) => {
    const other = new LineOfSight(water.withNeeds(without), FULL_DETAIL);
    return other.isClear(point, point);
  });
  const [first, ...others] = only.length > 0 ? only.slice(0, 1) : obstacles;
  if (first === undefined) return reasonOfBorder(lineOfSight, point);
  return {
    code: first.code,
    reason: [first, ...others].map(({ reason }) => reason).join(', and '),
  };
}

function obstaclesIn(lineOfSight: LineOfSight, point: Point): Obstacle[] {
  const { water } = lineOfSight;
  const { needs } = water;
  const [x, y] = [Math.floor(point.x) & (WORLD_CELLS - 1), Math.floor(point.y)];
  const view = water.viewOfCell(x, y);
  const { cells } = view;
  const entry = entryAt(cells, 0, indexIn(view, 0, 0, x, y));
  const depth = cells.least[entry]!;
  if (depth === NEVER_DEEP) return [];
  const flags = cells.anyFlags[entry]!;
  const clearance = cells.clearance[entry]!;
  const obstacles: Obstacle[] = [];
  for (const [flag, what] of FORBIDDEN) {
    if ((flags & needs.forbidden & flag) === 0) continue;
    obstacles.push({
      code: 'WAYPOINT_IN_PROHIBITED_AREA',
      reason: `lies in ${what}${isNoticed(flag) ? restrictionAt(water, point) : ''}`,
      without: {
        forbidden: needs.forbidden & ~flag,
        ...(flag === SEA_FLAGS.toBeAvoided && { avoidToBeAvoided: false }),
        ...(flag === SEA_FLAGS.restricted && { avoidRestricted: false }),
        ...(flag === SEA_FLAGS.prohibited && { allowProhibited: true }),
      },
    });
  }
  if (depth < needs.depthCode) {
    const edge = lineOfSight.nearestUnsafeEdge(point, 1);
    const near = edge && nearnessOf(point, edge, needs);
    obstacles.push({
      code: near === undefined ? 'WAYPOINT_TOO_SHALLOW' : 'WAYPOINT_NEAR_DANGER',
      reason:
        near ??
        `lies in water with a charted depth of ${cellText(depthOfCode(depth))}, and ${neededText(needs.depth)} is needed`,
      without: { depth: Number.NEGATIVE_INFINITY, depthCode: 1 },
    });
  }
  if ((flags & needs.forbidden & SEA_FLAGS.unknownDepth) !== 0) {
    const isUncharted = (flags & SEA_FLAGS.background) !== 0;
    obstacles.push({
      code: isUncharted ? 'OUTSIDE_COVERAGE' : 'WAYPOINT_TOO_SHALLOW',
      reason: isUncharted
        ? `lies outside the charts within 12 nautical miles of land, in water of unknown depth (${ALLOW_UNKNOWN})`
        : `lies in water of unknown depth (${ALLOW_UNKNOWN})`,
      without: {
        forbidden: needs.forbidden & ~SEA_FLAGS.unknownDepth,
        allowUnknownDepth: true,
      },
    });
  }
  if (clearance < needs.clearanceCode) {
    // Code 0 also stands for charted clearances of less than 0.1 m.
    const height =
      clearance === 0
        ? 'an overhead object whose clearance is unknown or less than 0.1 m'
        : `a clearance of ${cellText(clearanceOfCode(clearance))}`;
    obstacles.push({
      code: 'WAYPOINT_UNDER_LOW_CLEARANCE',
      reason: `lies under ${height}, and ${neededText(needs.clearance ?? 0)} is needed`,
      without: { clearance: undefined, clearanceCode: 0 },
    });
  }
  return obstacles;
}

const isNoticed = (flag: number): boolean =>
  flag === SEA_FLAGS.prohibited || flag === SEA_FLAGS.toBeAvoided || flag === SEA_FLAGS.restricted;

/** The restrictions of the areas around a point, as charted. */
function restrictionAt(water: Water, point: Point): string {
  const texts = noticesAlong(water, point, point)
    .filter(({ notice }) => notice.kind === 'restriction')
    .map(({ notice }) => noticeText(notice));
  return texts.length === 0 ? '' : ` (${texts.join('; ')})`;
}

/** The kinds of area whose cells may not be entered. */
const FORBIDDEN: readonly (readonly [flag: number, what: string])[] = [
  [SEA_FLAGS.prohibited, 'an area where entry is prohibited'],
  [SEA_FLAGS.toBeAvoided, 'an area to be avoided (`options.avoid`)'],
  [SEA_FLAGS.restricted, 'a restricted area (`options.avoid`)'],
  [SEA_FLAGS.military, 'a military area (`options.avoid`)'],
  [SEA_FLAGS.caution, 'an area that asks for caution (`options.avoid`)'],
  [SEA_FLAGS.lane | SEA_FLAGS.separation, 'a traffic separation scheme (`options.avoid`)'],
  [SEA_FLAGS.lock, 'a lock (`options.avoid`)'],
  [SEA_FLAGS.openingBridge, 'the way under a bridge that opens (`options.avoid`)'],
];

/** If no depth is charted at all, the border of the area shows what kind of area it is. */
function reasonOfBorder(lineOfSight: LineOfSight, point: Point): BadPlace {
  const nearest = nearestEdge(lineOfSight, point);
  if (nearest === undefined) return { code: 'WAYPOINT_ON_LAND', reason: 'lies on land' };
  const { hazards } = nearest.view.square;
  const what = inBrackets(hazards.features[hazards.feature[nearest.edge]!]!);
  const near = nearnessOf(point, nearest, lineOfSight.water.needs);
  if (near !== undefined) return { code: 'WAYPOINT_NEAR_DANGER', reason: near };
  switch (HAZARD_KINDS[hazards.kind[nearest.edge]!]!) {
    case 'no-data':
      return { code: 'OUTSIDE_COVERAGE', reason: 'lies where there is no chart' };
    case 'depth':
    case 'unknown-depth':
      return {
        code: 'WAYPOINT_TOO_SHALLOW',
        reason: `lies in water that is not deep enough${what}`,
      };
    case 'danger':
      return { code: 'WAYPOINT_NEAR_DANGER', reason: `lies on a danger${what}` };
    case 'structure':
      return { code: 'WAYPOINT_ON_LAND', reason: `lies on a structure${what}` };
    case 'prohibited':
    case 'to-be-avoided':
    case 'restricted':
      return {
        code: 'WAYPOINT_IN_PROHIBITED_AREA',
        reason: `lies in an area to stay out of${what}`,
      };
    case 'overhead':
      return {
        code: 'WAYPOINT_UNDER_LOW_CLEARANCE',
        reason: `lies under too low a clearance${what}`,
      };
    default:
      return { code: 'WAYPOINT_ON_LAND', reason: 'lies on land' };
  }
}

function nearestEdge(lineOfSight: LineOfSight, point: Point): UnsafeEdge | undefined {
  for (let within = 4; within <= REASON_WITHIN_CELLS; within *= 4) {
    const found = lineOfSight.nearestUnsafeEdge(point, within);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Distance of a waypoint from a charted point object, and why it is too near. The distance is
 * greater for an object of doubtful position. `undefined` for lines and areas, on which a waypoint
 * may lie.
 */
function nearnessOf(
  point: Point,
  { view, edge }: UnsafeEdge,
  { lateralMeters }: Needs,
): string | undefined {
  const { hazards, ends } = hazardGridOf(view.square);
  const [ax, ay, bx, by] = ends.subarray(4 * edge, 4 * edge + 4);
  if (ax !== bx || ay !== by) return undefined;
  const meters = greatCircleMeters(point, { x: unwrapNear(ax!, point.x), y: ay! });
  const kept = neededText(hazards.radius[edge]! + lateralMeters);
  return `lies ${Math.round(meters)} m from ${hazardText(hazards, edge)}, and at least ${kept} are kept clear around it`;
}
