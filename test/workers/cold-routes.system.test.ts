// Routes in an isolate that has not read any charts: it requests all data together, and gives the same
// answer as with all data loaded.

import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { distanceMeters } from '../../shared/geo/earth.ts';
import type { Position, Trip } from '../../shared/route/trip.ts';
import { NO_EDGE_CACHE, planColdTrip } from '../support/route/cold-trips.ts';
import { planWarm, tripOf } from '../support/route/trips.ts';
import { openSeaFile } from '../support/sea-file.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = 20_261_130;
/** West, south, east, north: the demo coast with harbours, islands and the open sea around it. */
const [WEST, SOUTH, EAST, NORTH] = [-21, -30.8, -19, -29.4];

beforeAll(() => void vi.stubGlobal('caches', NO_EDGE_CACHE));
afterAll(() => void vi.unstubAllGlobals());

function tripsOf(count: number, kilometers: readonly [number, number], seed: number): Trip[] {
  const random = seededRandom(seed);
  const place = (): Position => [
    WEST + random() * (EAST - WEST),
    SOUTH + random() * (NORTH - SOUTH),
  ];
  const trips: Trip[] = [];
  while (trips.length < count) {
    const [from, to] = [place(), place()];
    const length = distanceMeters(...from, ...to) / 1000;
    if (length < kilometers[0] || length > kilometers[1]) continue;
    trips.push(
      tripOf([from, to], {
        vessel: { draft: 2, airDraft: 15 },
        safety: { lateralClearance: 10 },
        options: { maxSnapDistance: 10_000 },
      }),
    );
  }
  return trips;
}

const at = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)]!;

test.each([
  ['10 km', [5, 15], 1],
  ['100 km', [80, 120], 2],
] as const)(
  'routes of %s wait for storage at most twice, read at most 12 times (p95), and equal routes over loaded data',
  async (_, kilometers, place) => {
    const charts = inject('demoCharts');
    const sea = await openSeaFile(charts);
    const cold = { reads: [] as number[], rounds: [] as number[], routes: 0 };
    for (const trip of tripsOf(7, kilometers, SEED + place)) {
      const { answer, reads, rounds } = await planColdTrip(charts, trip);
      expect(answer).toEqual(planWarm(trip, sea));
      cold.reads.push(reads);
      cold.rounds.push(rounds);
      if (answer.success) cold.routes++;
    }
    expect(cold.routes).toBeGreaterThan(3);
    expect(at(cold.rounds, 0.95)).toBeLessThanOrEqual(2);
    expect(at(cold.reads, 0.95)).toBeLessThanOrEqual(12);
  },
  120_000,
);
