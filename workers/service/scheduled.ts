// What the platform calls by the clock rather than for a request; `npm start` does so on one machine.

import { sweepReports } from './db/report-store.ts';
import type { Env } from './runtime/env.ts';
import { logFault } from './runtime/log.ts';

const BATCH = 500;
/** What is left over waits for the next minute: it reads as expired anyway. */
const MOST_BATCHES = 40;

/** Write down which reports have expired. @returns how many were looked at */
export async function tidyUp(env: Env, nowMs: number): Promise<number> {
  if (env.DATABASE_URL === undefined || env.DATABASE_URL === '') return 0;
  let looked = 0;
  try {
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const some = await sweepReports(env, nowMs, BATCH);
      looked += some;
      if (some < BATCH) break;
    }
  } catch (error) {
    // Nothing is lost by a sweep that comes later.
    logFault('sweep', error);
  }
  return looked;
}
