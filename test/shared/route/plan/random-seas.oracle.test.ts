// Trips over random seas: JSTS measures every leg of every path. If there is no path, a flood fill
// over all cells must not find one either.

import { expect, it } from 'vitest';
import type { Trip } from '../../../../shared/route/trip.ts';
import { isLong } from '../../../support/long-run.ts';
import { randomSea } from '../../../support/route/random-seas.ts';
import { flood, freeCells, SeaJudge } from '../../../support/route/sea-judge.ts';
import type { Spot, SyntheticSea } from '../../../support/route/synthetic-sea.ts';
import { planCold, planWarm, tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const TRIPS = isLong ? 2000 : 64;
const TRIPS_A_SEA = 8;
/** Radii differ between the sphere of the plane and the poles; a millimetre is rounding. */
const ALLOWED = 0.995;

it(`random seas keeps ${TRIPS} trips off everything unsafe, and finds a path wherever the cells let one through`, () => {
  const random = seededRandom(60_617);
  const seen = new Set<string>();
  const counts = { found: 0, legs: 0, none: 0, bad: 0 };
  for (let sea: SyntheticSea | undefined, i = 0; i < TRIPS; i++) {
    if (i % TRIPS_A_SEA === 0 || sea === undefined) {
      sea = randomSea(random, { density: 2 + random() * 10 });
    }
    const { trip, free } = randomTrip(random, sea);
    seen.add(JSON.stringify(trip.waypoints));
    const answer = planWarm(trip, sea);
    if (i % 10 === 0) expect(planCold(trip, sea)).toEqual(answer);
    const [start, ...others] = trip.waypoints.map((position) => sea!.spotOf(position)) as [
      Spot,
      ...Spot[],
    ];
    const isFree = ([x, y]: Spot) => free[Math.floor(y) * sea!.width + Math.floor(x)] === 1;
    if (answer.success) {
      counts.found++;
      const judge = new SeaJudge(sea, trip);
      const { lateralClearance } = trip.safety;
      for (const { from, to } of answer.legs) {
        counts.legs++;
        const meters = judge.metersFromDanger(from, to, lateralClearance);
        expect(meters, `trip ${i} ${from} ${to}`).toBeGreaterThan(0);
        expect(meters, `trip ${i} ${from} ${to}`).toBeGreaterThanOrEqual(
          lateralClearance * ALLOWED,
        );
      }
      expect(answer.path[0]).toEqual(near(trip.waypoints[0]!));
      expect(answer.path.at(-1)).toEqual(near(trip.waypoints.at(-1)!));
      continue;
    }
    expect(answer.failures.length).toBeGreaterThan(0);
    const codes = answer.failures.map(({ code }) => code);
    if (codes.every((code) => code === 'NO_PATH' || code === 'WAYPOINT_ENCLOSED')) {
      counts.none++;
      const reached = flood(sea, trip, start, free);
      const isOpen = others.every(
        ([x, y]) => reached[Math.floor(y) * sea!.width + Math.floor(x)] === 1,
      );
      expect(isOpen, `trip ${i}: ${answer.failures[0]!.message}`).toBe(false);
    } else {
      counts.bad++;
      for (const { code, waypoint } of answer.failures) {
        expect(code).not.toBe('SEARCH_LIMIT');
        expect(
          isFree([start, ...others][waypoint!]!),
          `trip ${i} waypoint ${waypoint} ${code}`,
        ).toBe(false);
      }
    }
  }
  expect(seen.size).toBe(TRIPS);
  // The draw must hold something of each kind, or nothing was tested.
  expect(counts.found).toBeGreaterThan(TRIPS / 4);
  expect(counts.none).toBeGreaterThan(TRIPS / 40);
  expect(counts.bad).toBeGreaterThan(TRIPS / 40);
  expect(counts.legs).toBeGreaterThan(counts.found * 2);
}, 1_200_000);

function near([longitude, latitude]: readonly [number, number]) {
  return [expect.closeTo(longitude, 9), expect.closeTo(latitude, 9)];
}

/** A trip, and the cells that are free for it. */
function randomTrip(random: () => number, sea: SyntheticSea): { trip: Trip; free: Uint8Array } {
  const draft = Math.round(random() * 40) / 10;
  const changes = {
    vessel: { draft, airDraft: random() < 0.5 ? undefined : Math.round(random() * 20) },
    safety: {
      lateralClearance: random() < 0.3 ? 0 : Math.round(random() * 40),
      allowUnknownDepth: random() < 0.3,
    },
    options: {
      avoid: new Set(random() < 0.5 ? (['restricted'] as const) : []),
    },
  };
  const free = freeCells(sea, tripOf([], changes));
  const deep = (): Spot => {
    // Mostly in safe water, as most waypoints are; some anywhere.
    for (let tries = 0; ; tries++) {
      const spot: Spot = [random() * sea.width, random() * sea.height];
      if (random() < 0.05 || tries > 200) return spot;
      if (free[Math.floor(spot[1]) * sea.width + Math.floor(spot[0])] === 1) return spot;
    }
  };
  const waypoints = [sea.positionOf(deep()), sea.positionOf(deep())];
  return { trip: tripOf(waypoints, changes), free };
}
