// From a trip to a plan. Reading squares takes time and the search does not: it is a generator that
// hands out the squares it lacks, and goes on where it stopped once they are there.

import type { Sea, SquareId } from '../sea.ts';
import type { NoPlan, Plan, Trip } from '../trip.ts';
import { AvoidedAreas } from './avoided-areas.ts';
import { Charges } from './charges.ts';
import { findWay } from './find-way.ts';
import { needsOf } from './needs.ts';
import { type Point, pointOf, positionOf, unwrapNear, WORLD_CELLS } from './plane.ts';
import { prefetch } from './prefetch.ts';
import { Water } from './water.ts';

/**
 * Plans a trip. Run it like this, reading all squares of one question at once:
 *
 *     const search = planRoute(trip, sea);
 *     let step = search.next();
 *     while (!step.done) {
 *       await fetchInto(sea, step.value);
 *       step = search.next();
 *     }
 *     return step.value; // Plan or NoPlan, told apart by `success`
 *
 * The answer does not depend on which squares were there before, nor on the order they came in.
 * What was asked for must stay in `sea` until the search ends.
 *
 * @throws where `sea` still lacks a square it was asked for: whoever reads must say that data is
 *   missing, and never go on without it
 */
export function* planRoute(
  trip: Trip,
  sea: Sea,
): Generator<readonly SquareId[], Plan | NoPlan, void> {
  const needs = needsOf(trip);
  const waypoints: Point[] = [];
  for (const position of trip.waypoints) {
    const { x, y } = pointOf(position);
    waypoints.push({ x: unwrapNear(x, waypoints.at(-1)?.x ?? x), y });
  }
  yield* prefetch(sea, needs, waypoints);
  const areas =
    trip.options.avoidAreas.length > 0 ? new AvoidedAreas(trip.options.avoidAreas) : undefined;
  const water = new Water(sea, needs, { north: 0, south: WORLD_CELLS, areas });
  const charges = new Charges(trip, water);
  const budget = { expanded: 0, mostExpanded: 400_000 };
  const line: Point[] = [waypoints[0]!];
  for (let i = 1; i < waypoints.length; i++) {
    const way = yield* findWay(sea, water, charges, waypoints[i - 1]!, waypoints[i]!, budget);
    if ('none' in way) {
      return {
        success: false,
        failures: [
          {
            code: way.none === 'limit' ? 'SEARCH_LIMIT' : 'NO_PATH',
            message: '',
            waypoint: i,
            nearest: undefined,
          },
        ],
        effort: { expanded: budget.expanded, squares: water.squares },
      };
    }
    line.push(...way.line.slice(1));
  }
  return {
    success: true,
    path: line.map(positionOf),
    legs: [],
    distance: 0,
    warnings: [],
    effort: { expanded: budget.expanded, squares: water.squares },
  };
}
