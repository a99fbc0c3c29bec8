// A trip over the charts of the current build.

import type { Manifest } from '../../shared/chart/manifest.ts';
import type { NoPlan, Plan, Trip } from '../../shared/route/trip.ts';
import type { Env } from '../env.ts';
import { chartsUnavailable } from '../http/errors.ts';
import type { RequestCost } from '../http/request-cost.ts';

/** @throws ApiError 503 where the build has no archive for routes, or it cannot be read */
export async function planTrip(
  _env: Env,
  _manifest: Manifest,
  _trip: Trip,
  _cost: RequestCost,
): Promise<Plan | NoPlan> {
  throw chartsUnavailable();
}
