// Plans a trip over the charts of the current build: runs the search and loads the squares that it
// requests.

import type { Manifest } from '../../../shared/chart/manifest.ts';
import { planRoute } from '../../../shared/route/plan/plan-route.ts';
import type { SquareId } from '../../../shared/route/sea.ts';
import type { NoPlan, Plan, Trip } from '../../../shared/route/trip.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { MemoryReservation, WORK_BYTES } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { TooSlow } from '../runtime/time-limit.ts';
import { HELD_PACKED_BYTES } from './route-sheets.ts';
import { RouteStore } from './route-store.ts';
import { runSearch } from './run-search.ts';

/** For search steps; a search without a possible route uses the maximum number of steps. */
const STEPS_BYTES = 24 * 1024 * 1024;

/** @throws ApiError 503 if the build has no route archive, or it cannot be read in time */
export async function planTrip(
  env: Env,
  manifest: Manifest,
  trip: Trip,
  cost: RequestCost,
): Promise<Plan | NoPlan> {
  const sea = new RouteStore(env, manifest, cost);
  const reservation = new MemoryReservation();
  let held = STEPS_BYTES + HELD_PACKED_BYTES;
  const read = async (squares: readonly SquareId[]) => {
    const bytes = await sea.fetchSquares(squares);
    held += bytes;
    reservation.grow(Math.min(held, WORK_BYTES.route));
    return bytes;
  };
  try {
    reservation.grow(held);
    await sea.readAhead(trip.waypoints);
    return (await runSearch(planRoute(trip, sea), read, Date.now)) ?? TOO_FAR;
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    logFault('routes', error);
    throw new ApiError('charts_unavailable');
  } finally {
    reservation.release();
  }
}

const TOO_FAR: NoPlan = {
  success: false,
  failures: [
    {
      code: 'SEARCH_LIMIT',
      message:
        'SEARCH_LIMIT: The search stopped because the trip needs more chart data than one request may read, so it is unknown whether there is a path. Divide the trip into shorter parts.',
      waypoint: undefined,
      nearest: undefined,
    },
  ],
  effort: { expanded: 0, squares: 0 },
};
