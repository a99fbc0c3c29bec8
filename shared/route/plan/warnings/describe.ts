// Describes a certified line as a plan: legs with lengths, courses and depths, and warnings.

import { wrappedDegrees } from '../../../geo/geodesic.ts';
import { rhumbBetween } from '../../../geo/rhumb.ts';
import { HAZARD_KINDS, type HazardFeature, SEA_FLAGS } from '../../sea.ts';
import type { Leg, Position, Trip, Warning } from '../../trip.ts';
import { legMeters, type Point, positionOf, WORLD_CELLS } from '../geometry/plane.ts';
import { DIRECTED, lanesNotFollowed } from '../read/lanes.ts';
import { type Needs, needsOf } from '../read/needs.ts';
import type { Pieces, SquareRequests } from '../read/square-requests.ts';
import { metersWithoutDepth, type Survey, surveyLeg } from '../read/survey.ts';
import { flagsOfCell, indexIn, type Water } from '../read/water.ts';
import type { LineOfSight } from '../sight/line-of-sight.ts';
import { type MetNotice, noticesAlong } from './notices.ts';
import { passagesAlong } from './passages.ts';
import {
  cellText,
  chartedText,
  distanceText,
  metersText,
  neededText,
  noticeText,
} from './texts.ts';

export interface Snap {
  readonly waypoint: number;
  readonly point: Point;
  readonly meters: number;
}

interface Described {
  readonly path: readonly Position[];
  readonly legs: readonly Leg[];
  readonly distance: number;
  readonly warnings: readonly Warning[];
}

export function* describeLine(
  trip: Trip,
  lineOfSight: LineOfSight,
  line: readonly Point[],
  snaps: readonly Snap[],
  pieces: Pieces,
): SquareRequests<Described> {
  const surveys: Survey[] = [];
  for (const [i, to] of line.slice(1).entries()) {
    surveys.push(yield* pieces.run(() => surveyLeg(lineOfSight.water, line[i]!, to)));
  }
  return yield* pieces.run(() => described(trip, lineOfSight, line, snaps, surveys));
}

function described(
  trip: Trip,
  lineOfSight: LineOfSight,
  line: readonly Point[],
  snaps: readonly Snap[],
  surveys: readonly Survey[],
): Described {
  const met = line.flatMap((to, i) => noticesAlong(lineOfSight.water, line[i - 1] ?? to, to));
  const notices = aboutNotices(met);
  const bridges = aboutBridges(trip, lineOfSight, line, surveys, met);
  const path = line.map(positionOf);
  const legs = surveys.map((survey, i): Leg => {
    const [from, to] = [line[i]!, line[i + 1]!];
    const course = courseAfter(line, i) ?? 0;
    return {
      from: path[i]!,
      to: path[i + 1]!,
      distance: legMeters(from, to),
      bearing: course,
      turn: Math.abs(wrappedDegrees((courseAfter(line, i + 1) ?? course) - course)),
      minDepth: survey.depth,
      minClearance: survey.clearance,
      background: (survey.flags & SEA_FLAGS.background) !== 0,
      withoutDepth: metersWithoutDepth(lineOfSight.water, from, to),
    };
  });
  return {
    path,
    legs,
    distance: legs.reduce((sum, { distance }) => sum + distance, 0),
    warnings: [
      ...snaps.map(snapped),
      ...aboutTrip(trip),
      ...aboutDepth(lineOfSight.water.needs, surveys, legs),
      ...bridges,
      ...aboutAreas(lineOfSight.water.needs, surveys, [...bridges, ...notices]),
      ...notices,
      ...passagesAlong(trip, surveys).map(({ text, at }) => warning('PASSAGE', text, at)),
      ...aboutLanes(lineOfSight, line, surveys),
    ],
  };
}

/** True course on the ellipsoid from point `i` of a line to the next point at another place. */
function courseAfter(line: readonly Point[], i: number): number | undefined {
  const from = line[i]!;
  let next = i + 1;
  while (line[next]?.x === from.x && line[next]?.y === from.y) next++;
  const to = line[next];
  if (to === undefined) return undefined;
  const east = ((to.x - from.x) * 360) / WORLD_CELLS;
  return rhumbBetween(0, positionOf(from)[1], east, positionOf(to)[1]).course;
}

function warning(
  code: Warning['code'],
  text: string,
  point?: Point,
  feature?: HazardFeature,
): Warning {
  const position = point === undefined ? undefined : positionOf(point);
  return { code, message: `${code}: ${text}`, position, feature };
}

function snapped({ waypoint, point, meters }: Snap): Warning {
  return warning(
    'SNAPPED',
    `Waypoint ${waypoint + 1} was moved by ${distanceText(meters)} to safe water.`,
    point,
  );
}

function aboutTrip({ vessel, safety }: Trip): Warning[] {
  const level = safety.waterLevel;
  const water =
    level === 0
      ? 'at chart datum'
      : `${metersText(Math.abs(level))} ${level > 0 ? 'above' : 'below'} chart datum`;
  const warnings = [
    warning(
      'NO_TIDES',
      `Tides and currents are not modelled: the water is taken to stand ${water}.`,
    ),
  ];
  if (vessel.draft === 0) {
    warnings.push(
      warning('NO_DRAFT', 'No draft was given: the path is planned for a draft of 0 m.'),
    );
  }
  return warnings;
}

function aboutDepth(needs: Needs, surveys: readonly Survey[], legs: readonly Leg[]): Warning[] {
  let least: Survey | undefined;
  for (const survey of surveys) {
    if (survey.depth === undefined || survey.depthAt === undefined) continue;
    const isTie = survey.depth === least?.depth && !survey.isUnknownDepth && least.isUnknownDepth;
    if (isTie || least?.depth === undefined || survey.depth < least.depth) least = survey;
  }
  const without = legs.reduce((sum, { withoutDepth }) => sum + withoutDepth, 0);
  const whole = legs.reduce((sum, { distance }) => sum + distance, 0);
  if (least?.depth === undefined) {
    if (without === 0) return [];
    const text = `No depth is charted along the path; ${neededText(needs.depth)} is needed.`;
    return [warning('SHALLOWEST', text)];
  }
  const depth = cellText(least.depth);
  const charted = least.isUnknownDepth
    ? `Part of the path lies in water of unknown depth; the least depth stated at it is ${depth}, and the water may be shallower; ${neededText(needs.depth)} is needed.`
    : `The least charted depth along the path is ${depth}; ${neededText(needs.depth)} is needed.`;
  const rest =
    without === 0
      ? ''
      : ` ${distanceText(without)} of ${distanceText(whole)} have no charted depth.`;
  return [warning('SHALLOWEST', charted + rest, least.depthAt)];
}

const OVERHEAD = HAZARD_KINDS.indexOf('overhead');

/** One warning for each overhead object that the path passes under, or that may have to open. */
function aboutBridges(
  trip: Trip,
  lineOfSight: LineOfSight,
  line: readonly Point[],
  surveys: readonly Survey[],
  met: readonly MetNotice[],
): Warning[] {
  const warnings: Warning[] = [];
  const told = new Set<string>();
  const need = clearanceNeedText(trip);
  for (const [i, survey] of surveys.entries()) {
    if (survey.clearance === undefined && (survey.flags & SEA_FLAGS.openingBridge) === 0) continue;
    const passed = lineOfSight.crossed(line[i]!, line[i + 1]!, OVERHEAD);
    for (const { feature, verticalClearance, at } of passed) {
      const key = feature.id === '' ? `${at.x} ${at.y}` : feature.id;
      if (told.has(key)) continue;
      told.add(key);
      if (verticalClearance === Number.POSITIVE_INFINITY) {
        warnings.push(warning('OPENING_BRIDGE', OPENING_TEXT, at, feature));
        continue;
      }
      const height = Number.isNaN(verticalClearance)
        ? 'unknown height'
        : chartedText(verticalClearance);
      const text = `Clearance ${height}; ${need}${datumText(met, feature)}`;
      warnings.push(warning('UNDER_BRIDGE', text, at, feature));
      // The height is that of the open bridge (VERCOP), or of a lifting bridge without VERCOP.
      if (mustOpen(lineOfSight.water, at))
        warnings.push(warning('OPENING_BRIDGE', OPENING_TEXT, at, feature));
    }
    const hasHeight = warnings.some(({ code }) => code === 'UNDER_BRIDGE');
    if (passed.length === 0 && !hasHeight && survey.clearance !== undefined) {
      // Clearances of less than 0.1 m count as 0 too.
      const height =
        survey.clearance === 0
          ? 'unknown or less than 0.1 m'
          : `${chartedText(survey.clearance)} at least`;
      const text = `Clearance ${height}, near the path; ${need}`;
      warnings.push(warning('UNDER_BRIDGE', text, survey.clearanceAt));
    }
  }
  return warnings;
}

function datumText(met: readonly MetNotice[], { id }: HazardFeature): string {
  const found = met.find(({ notice }) => notice.kind === 'datum' && notice.feature.id === id);
  return found === undefined
    ? ''
    : ` Its clearance is above ${found.notice.text}, not above high water.`;
}

const WIDTH_TEXT = 'Its width is not checked.';
const OPENING_TEXT = `The path passes a bridge that may have to open. ${WIDTH_TEXT}`;

/** The clearance that a trip needs, and what is not checked. */
function clearanceNeedText(trip: Trip): string {
  const { clearance } = needsOf(trip);
  const need =
    clearance === undefined ? 'no air draft was given' : `${neededText(clearance)} is needed`;
  const { waterLevel } = trip.safety;
  const level =
    waterLevel > 0
      ? ` The water level of ${metersText(waterLevel)} is not subtracted from the clearance.`
      : '';
  return `${need}.${level} ${WIDTH_TEXT}`;
}

/** Whether the grid cell of a crossing has a bridge that opens; a fixed bridge in the same cell counts too. */
function mustOpen(water: Water, at: Point): boolean {
  const [x, y] = [Math.floor(at.x) & (WORLD_CELLS - 1), Math.floor(at.y)];
  const view = water.knownViewOfCell(x, y);
  return (flagsOfCell(view, indexIn(view, 0, 0, x, y)) & SEA_FLAGS.openingBridge) !== 0;
}

const AREAS: readonly (readonly [flag: number, code: Warning['code'], text: string])[] = [
  [
    SEA_FLAGS.restricted | SEA_FLAGS.toBeAvoided,
    'RESTRICTED_AREA',
    'The path crosses a restricted area.',
  ],
  [SEA_FLAGS.caution, 'CAUTION_AREA', 'The path crosses an area that asks for caution.'],
  [SEA_FLAGS.military, 'CAUTION_AREA', 'The path crosses a military practice area.'],
  [
    SEA_FLAGS.besideMarks,
    'OUTSIDE_MARKS',
    'The path passes outside a pair of lateral marks, not between them: no way inside the marked channel was found.',
  ],
  [SEA_FLAGS.lock, 'LOCK', 'The path passes a lock. Its width and length are not checked.'],
  [SEA_FLAGS.openingBridge, 'OPENING_BRIDGE', OPENING_TEXT],
  [SEA_FLAGS.unknownDepth, 'UNKNOWN_DEPTH', 'The path crosses water of unknown depth.'],
  [
    SEA_FLAGS.background,
    'BACKGROUND_ONLY',
    'Part of the path lies outside the charts: it keeps off the land of the background alone, and nothing is known of depths and dangers there.',
  ],
];

/** @param named areas and bridges that these already cover, by name, are omitted */
function aboutAreas(
  { forbidden }: Needs,
  surveys: readonly Survey[],
  named: readonly Warning[],
): Warning[] {
  return AREAS.flatMap(([flag, code, text]) => {
    if (named.some((one) => one.code === code)) return [];
    // Water outside lateral marks is only open around waypoints.
    if (flag === SEA_FLAGS.besideMarks && (flag & forbidden) !== 0) return [];
    const first = surveys.find(({ flags }) => (flags & flag) !== 0);
    if (first === undefined) return [];
    const at = [...first.flagsAt].find(([met]) => (met & flag) !== 0)?.[1];
    return [warning(code, text, at)];
  });
}

/** One warning for each restriction and for each object that no rule covers. */
function aboutNotices(met: readonly MetNotice[]): Warning[] {
  const warnings = new Map<string, Warning>();
  for (const { notice, at } of met) {
    // Part of the warning of a bridge.
    if (notice.kind === 'datum') continue;
    const what = noticeText(notice);
    const [code, text] =
      notice.kind === 'restriction'
        ? (['RESTRICTED_AREA', `The path crosses a restricted area: ${what}.`] as const)
        : ([
            'OBJECT_WITHOUT_RULE',
            `The path passes an object that routes have no rule for: ${what}. Look at the chart.`,
          ] as const);
    // Parts of one area in several cells have the same text.
    if (!warnings.has(text)) warnings.set(text, warning(code, text, at, notice.feature));
  }
  return [...warnings.values()];
}

/**
 * One warning for all traffic separation schemes: the first place against a lane, or else the first
 * crossing. One warning for all one-way fairways.
 */
function aboutLanes(
  { water }: LineOfSight,
  line: readonly Point[],
  surveys: readonly Survey[],
): Warning[] {
  const crossings: Warning[] = [];
  const against: Warning[] = [];
  const againstOneWay: Warning[] = [];
  const add = (list: Warning[], text: string, at: Point | undefined) =>
    at && list.push(warning('CROSSES_LANE', `The path ${text}.`, at));
  for (const [i, survey] of surveys.entries()) {
    add(crossings, 'crosses a separation zone', survey.flagsAt.get(SEA_FLAGS.separation));
    if ((survey.flags & DIRECTED) === 0) continue;
    const [a, b] = [line[i]!, line[i + 1]!];
    // A leg between two equal waypoints has no course.
    if (a.x === b.x && a.y === b.y) continue;
    const found = lanesNotFollowed(water, a, b);
    add(crossings, 'crosses a lane of a traffic separation scheme', found.across);
    add(against, 'goes against a lane of a traffic separation scheme', found.against);
    add(againstOneWay, 'goes against a one-way track or fairway', found.againstOneWay);
  }
  return [...[...against, ...crossings].slice(0, 1), ...againstOneWay.slice(0, 1)];
}
