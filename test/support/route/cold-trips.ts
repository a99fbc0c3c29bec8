// Trips planned by the code of the Worker in an isolate that has read none of the charts: the answers,
// and the number of waits for storage.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PartIndex } from '../../../shared/chart/part-index.ts';
import { partKey } from '../../../shared/chart/part-line.ts';
import type { NoPlan, Plan, Trip } from '../../../shared/route/trip.ts';
import { planTrip } from '../../../workers/service/charts/plan-trip.ts';
import { bucketInRounds } from '../bucket-in-rounds.ts';
import { forgetCharts } from '../forget-charts.ts';
import { manifestOf } from '../manifest-of.ts';
import { archiveOf } from '../whole-archive.ts';

export interface ColdTrip {
  readonly answer: Plan | NoPlan;
  readonly reads: number;
  readonly rounds: number;
}

let copies = 0;

/** An empty double of the cache of the platform. The caller installs it. */
export const NO_EDGE_CACHE = {
  default: {
    match: async () => undefined,
    put: async () => undefined,
    delete: async () => false,
  },
};

/** @param charts folder of a build */
export async function planColdTrip(charts: string, trip: Trip): Promise<ColdTrip> {
  const manifest = manifestOf(charts);
  // Nothing is cached for a new build ID.
  const buildId = `cold-${copies++}`;
  forgetCharts(manifest);
  const { parts } = PartIndex.of(archiveOf(manifest, 'enc-route-v1'));
  const files = new Map(
    parts.map(({ sha256 }) => [partKey(sha256), readFileSync(join(charts, partKey(sha256)))]),
  );
  const bucket = bucketInRounds((key) => files.get(key));
  const cost = { bucketReads: 0, from: '', defer: () => undefined };
  const answer = await planTrip(bucket.env, { ...manifest, buildId }, trip, cost);
  return { answer, reads: bucket.reads, rounds: bucket.rounds };
}
