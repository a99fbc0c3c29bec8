// From a trip to a plan. Reading squares takes time and the search does not: it is a generator that
// hands out the squares it lacks, and goes on where it stopped once they are there.

import type { Sea, SquareId } from '../sea.ts';
import type { NoPlan, Plan, Trip } from '../trip.ts';

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
 * Squares asked for once are kept by the search itself; `sea` may forget them afterwards.
 *
 * @throws where `sea` still lacks a square it was asked for: whoever reads must say that data is
 *   missing, and never go on without it
 */
export function* planRoute(
  _trip: Trip,
  _sea: Sea,
): Generator<readonly SquareId[], Plan | NoPlan, void> {
  yield [];
  throw new Error('not written yet');
}
