// Scheduled work, which `npm start` calls every minute, or every six hours with an external database, as the
// platform does.

import { sweepSessions } from './db/portal-store.ts';
import { sweepReports } from './db/report-store.ts';
import { repairRevocations } from './portal/publish.ts';
import { type Env, hasDatabase } from './runtime/env.ts';
import { logFault } from './runtime/log.ts';

const BATCH = 2500;
/** The rest is done in the next run; readers already treat these reports as expired. */
const BUDGET_MS = 45_000;

/**
 * Marks expired reports, deletes expired sessions, and repairs the list of revocations.
 * @returns the number of examined reports
 */
export async function tidyUp(env: Env, nowMs: number): Promise<number> {
  if (!hasDatabase(env)) return 0;
  // On its own: a revocation does not wait for the cleanup.
  await repairRevocations(env).catch((error: unknown) => logFault('revocations', error));
  // The next run repeats work that failed.
  await sweepSessions(env, nowMs).catch((error: unknown) => logFault('sweep', error));
  const endMs = Date.now() + BUDGET_MS;
  let looked = 0;
  try {
    let swept = BATCH;
    while (swept === BATCH && Date.now() < endMs) {
      swept = await sweepReports(env, nowMs, BATCH);
      looked += swept;
    }
  } catch (error) {
    logFault('sweep', error);
  }
  return looked;
}
