// From a trip to a plan. Squares must be read, which takes time, but the search is synchronous. It
// is a generator that yields the missing squares and continues when they are present.

import type { Sea, SquareId } from '../sea.ts';
import type { Failure, NoPlan, Plan, Trip } from '../trip.ts';
import { type Point, pathOf, positionOf } from './geometry/plane.ts';
import { detailAround, FINEST_REACH_METERS, FULL_DETAIL } from './read/detail.ts';
import { prefetch, readAlong } from './read/prefetch.ts';
import { PAUSE, type SquareRequests, withSquares } from './read/square-requests.ts';
import { explainRefusal } from './refusal/explain.ts';
import { nearestLockText } from './refusal/nearest-lock.ts';
import { nearestSafe, nearestText } from './refusal/nearest-safe.ts';
import { type BadPlace, whatIsWrongAt } from './refusal/waypoints.ts';
import { CostModel } from './search/cost-model.ts';
import {
  type Budget,
  contextOutsideMarks,
  findPath,
  type PathResult,
  type SearchContext,
  searchContext,
} from './search/find-path.ts';
import { joinPaths } from './search/turns.ts';
import { firstFault } from './sight/certify.ts';
import { LineOfSight } from './sight/line-of-sight.ts';
import { describeLine, type Snap } from './warnings/describe.ts';
import { tooSmallCanals } from './warnings/passages.ts';

/** Maximum number of leaves that a trip may expand; half as many again for paths that ignore lanes. */
export const MOST_EXPANDED = 400_000;
/** Maximum number of poses that the search for turns may examine for a trip. */
const MOST_POSES = 60_000;
/** Maximum number of failed last checks of a path before the planner gives up. */
const MOST_ATTEMPTS = 6;
/** Width of the area that is closed where a path failed, in cells; doubled at each failure. */
const CLOSED_CELLS = 4;

/** The same sea, between lateral marks and outside of them. */
type Contexts = readonly [context: SearchContext, outside: SearchContext];

/**
 * Plans a trip. Run it as follows. Read all squares of one yield together. Let other work run after
 * each yield, because a yield may request no squares:
 *
 *     const search = planRoute(trip, sea);
 *     let step = search.next();
 *     while (!step.done) {
 *       await fetchInto(sea, step.value);
 *       step = search.next();
 *     }
 *     return step.value; // Plan or NoPlan, distinguished by `success`
 *
 * The result does not depend on which squares were present before, nor on the order of their
 * arrival. Only `sea` holds the squares: a requested square must stay in it until the search ends.
 *
 * @param mostExpanded maximum number of leaves, for tests
 * @throws if `sea` still does not contain a requested square. The reader must report missing data
 *   and must never continue without it
 */
export function* planRoute(
  trip: Trip,
  sea: Sea,
  mostExpanded = MOST_EXPANDED,
): Generator<readonly SquareId[], Plan | NoPlan, void> {
  const tooSmall = tooSmallCanals(trip);
  if (tooSmall.length > 0) {
    return { success: false, failures: tooSmall, effort: { expanded: 0, squares: 0 } };
  }
  const context = searchContext(trip, sea, mostExpanded);
  const outside = contextOutsideMarks(trip, context);
  const { water, budget } = context;
  const anyLane = withoutLanes(trip, [context, outside]);
  yield* prefetch(sea, water.needs, pathOf(trip.waypoints));
  const effort = () => ({
    expanded: budget.expanded + anyLane[0].budget.expanded,
    squares: water.squares,
  });
  const places = yield* checkWaypoints(trip, outside);
  if ('failures' in places) return { success: false, failures: places.failures, effort: effort() };
  const { waypoints, snaps } = places;
  for (const waypoint of waypoints) water.open(waypoint);
  const near = detailAround(waypoints, FINEST_REACH_METERS);
  const limits = {
    radiusMeters: trip.vessel.turningRadius,
    maxDegrees: trip.vessel.maxTurnAngle,
  };
  const poseBudget = { poses: MOST_POSES };
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const paths: (readonly Point[])[] = [];
    let used = context;
    for (let i = 1; i < waypoints.length; i++) {
      const ends = [waypoints[i - 1]!, waypoints[i]!] as const;
      let found = yield* findIn([context, outside], ends);
      if (isLimit(found.result) && trip.options.followTss) {
        found = yield* findIn(anyLane, ends);
        shareLeaves(anyLane[0].budget, budget);
      }
      const { result } = found;
      if (found.isOutside) used = outside;
      if ('none' in result) {
        const { expanded } = effort();
        // An area that the last check closed is not caused by the trip's limits.
        const failure =
          attempt > 0
            ? uncertified()
            : yield* noPathFailure(trip, outside, waypoints, i, result, expanded);
        return { success: false, failures: [failure], effort: effort() };
      }
      paths.push(result.line);
    }
    const { pieces } = used;
    const lineOfSight = new LineOfSight(used.water, FULL_DETAIL);
    const line = yield* joinPaths(paths, limits, {
      isClear: (a, b) => lineOfSight.isClear(a, b),
      run: (piece) => pieces.run(piece),
      budget: poseBudget,
    });
    if (typeof line === 'number') {
      return { success: false, failures: [turnInfeasible(trip, line)], effort: effort() };
    }
    yield PAUSE;
    yield* readAlong(sea, line, near);
    const fault = yield* firstFault(lineOfSight, line, near, pieces);
    yield PAUSE;
    if (fault === undefined) {
      const described = yield* describeLine(trip, lineOfSight, line, snaps, pieces);
      return { success: true, ...described, effort: effort() };
    }
    for (const one of [context, outside]) one.water.close(fault.at, CLOSED_CELLS * 2 ** attempt);
  }
  return { success: false, failures: [uncertified()], effort: effort() };
}

/** Later parts of the trip follow lanes again, with half of what is left. */
function shareLeaves(from: Budget, to: Budget): void {
  const half = Math.floor((from.mostExpanded - from.expanded) / 2);
  from.mostExpanded -= half;
  to.mostExpanded += half;
}

/** The same water and a new budget, for a trip that may cross lanes and go against them. */
function withoutLanes(trip: Trip, [context, outside]: Contexts): Contexts {
  const free: Trip = { ...trip, options: { ...trip.options, followTss: false } };
  const budget = { expanded: 0, mostExpanded: context.budget.mostExpanded / 2 };
  const freed = (one: SearchContext): SearchContext => {
    return { ...one, trip: free, costModel: new CostModel(free, one.water), budget };
  };
  return [freed(context), freed(outside)];
}

const isLimit = (result: PathResult): boolean => 'none' in result && result.none === 'limit';

function* findIn(
  [context, outside]: Contexts,
  [from, to]: readonly [Point, Point],
): SquareRequests<{ readonly result: PathResult; readonly isOutside: boolean }> {
  const result = yield* findPath(context, from, to);
  if ('line' in result || isLimit(result)) return { result, isOutside: false };
  return { result: yield* findPath(outside, from, to), isOutside: true };
}

type Places =
  | { readonly waypoints: readonly Point[]; readonly snaps: readonly Snap[] }
  | { readonly failures: readonly Failure[] };

/** Checks every waypoint, so that all unsafe waypoints are reported together. */
function* checkWaypoints(
  trip: Trip,
  { sea, water, pieces }: SearchContext,
): SquareRequests<Places> {
  const { maxSnapDistance } = trip.options;
  const waypoints = pathOf(trip.waypoints);
  const snaps: Snap[] = [];
  const failures: Failure[] = [];
  for (const [i, waypoint] of waypoints.entries()) {
    if (i > 0) yield PAUSE;
    const wrong = yield* withSquares(sea, () => whatIsWrongAt(water, waypoint));
    if (wrong === undefined) continue;
    const nearest = yield* nearestSafe(water, pieces, waypoint, maxSnapDistance);
    if (nearest !== undefined && nearest.meters <= maxSnapDistance) {
      waypoints[i] = nearest.point;
      snaps.push({ waypoint: i, ...nearest });
    } else {
      failures.push(badWaypoint(wrong, i, nearest));
    }
  }
  return failures.length > 0 ? { failures } : { waypoints, snaps };
}

function badWaypoint(
  { code, reason }: BadPlace,
  waypoint: number,
  nearest: { readonly point: Point; readonly meters: number } | undefined,
): Failure {
  const help = nearest === undefined ? 'No safe place is near.' : nearestText(nearest);
  return {
    code,
    message: `${code}: Waypoint ${waypoint + 1} ${reason}. ${help}`,
    waypoint,
    nearest: nearest && positionOf(nearest.point),
  };
}

function* noPathFailure(
  trip: Trip,
  { sea, water }: SearchContext,
  waypoints: readonly Point[],
  to: number,
  result: Extract<PathResult, { none: string }>,
  expanded: number,
): SquareRequests<Failure> {
  const between = `between waypoints ${to} and ${to + 1}`;
  if (result.none === 'limit') {
    const help =
      trip.safety.shoreDistance > 0 || trip.options.optimize === 'safety'
        ? 'A smaller distance to the shore, or waypoints on a way that is known, may help.'
        : 'Waypoints on a way that is known may help.';
    const message = `SEARCH_LIMIT: The search ${between} was given up after ${expanded} steps of the trip, and it is not known whether there is a path. ${help}`;
    return { code: 'SEARCH_LIMIT', message, waypoint: to, nearest: undefined };
  }
  const help = yield* explainRefusal(trip, sea, [waypoints[to - 1]!, waypoints[to]!]);
  if (result.enclosed !== undefined) {
    const waypoint = result.enclosed === 'from' ? to - 1 : to;
    const reason = `WAYPOINT_ENCLOSED: Waypoint ${waypoint + 1} lies in water that cannot be left. ${help}`;
    const message = `${reason.trim()}${nearestLockText(water, waypoints[waypoint]!)}`;
    return { code: 'WAYPOINT_ENCLOSED', message, waypoint, nearest: undefined };
  }
  const message = `NO_PATH: There is no path ${between}. ${help}`;
  return { code: 'NO_PATH', message: message.trim(), waypoint: to, nearest: undefined };
}

function turnInfeasible({ vessel }: Trip, waypoint: number): Failure {
  const limits = [
    vessel.turningRadius > 0 ? `a turning radius of ${vessel.turningRadius} m` : '',
    vessel.maxTurnAngle < 180 ? `turns of at most ${vessel.maxTurnAngle}°` : '',
  ];
  const kept = limits.filter((limit) => limit !== '').join(' and ');
  const message = `TURN_INFEASIBLE: The way to waypoint ${waypoint + 1} has no room for ${kept}. Move that waypoint or the one before it to more open water.`;
  return { code: 'TURN_INFEASIBLE', message, waypoint, nearest: undefined };
}

function uncertified(): Failure {
  const message =
    'NO_PATH: Every path that was found failed the last check against the charts, so none is answered. Other waypoints may help.';
  return { code: 'NO_PATH', message, waypoint: undefined, nearest: undefined };
}
