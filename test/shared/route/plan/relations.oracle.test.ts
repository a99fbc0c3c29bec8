// Relations between answers: what must be longer, the same, or no worse when one thing is changed.

import { beforeAll, describe, expect, it } from 'vitest';
import { distanceMeters } from '../../../../shared/geo/earth.ts';
import type { Plan, Position, Trip } from '../../../../shared/route/trip.ts';
import { isLong } from '../../../support/long-run.ts';
import { expectSafe } from '../../../support/route/expect-safe.ts';
import { randomSea } from '../../../support/route/random-seas.ts';
import { freeCells } from '../../../support/route/sea-judge.ts';
import { makeSea, type Spot, type SyntheticSea } from '../../../support/route/synthetic-sea.ts';
import { planCold, planWarm, tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const ROUNDS = isLong ? 300 : 12;
/** A path is not the very shortest: two of them may differ by this, either way. */
const SLACK = 0.035;

interface Case {
  readonly sea: SyntheticSea;
  readonly trip: Trip;
  readonly plan: Plan;
}

/** Planned trips, each over a different sea. Each relation is tested with all of them. */
let planned: readonly Case[];
beforeAll(() => {
  planned = [...plannedTrips(seededRandom(11))];
  expect(planned.length).toBeGreaterThan(ROUNDS / 2);
});

function* plannedTrips(random: () => number): Generator<Case> {
  for (let i = 0; i < ROUNDS; i++) {
    const sea = randomSea(random, { density: 2 + random() * 6 });
    const bare = tripOf([], {
      vessel: { draft: 1 },
      safety: { lateralClearance: random() < 0.5 ? 0 : 12 },
    });
    const free = freeCells(sea, bare);
    const spot = (): Spot => {
      for (;;) {
        const at: Spot = [random() * sea.width, random() * sea.height];
        if (free[Math.floor(at[1]) * sea.width + Math.floor(at[0])] === 1) return at;
      }
    };
    const trip = { ...bare, waypoints: [sea.positionOf(spot()), sea.positionOf(spot())] };
    const plan = planWarm(trip, sea);
    if (plan.success) yield { sea, trip, plan };
  }
}

const distanceOf = (sea: SyntheticSea, trip: Trip) => {
  const answer = planWarm(trip, sea);
  return answer.success ? answer.distance : Number.POSITIVE_INFINITY;
};

describe('relations', () => {
  it('a deeper draft, more clearance or an area to avoid never makes a path shorter', () => {
    const random = seededRandom(11);
    for (const { sea, trip, plan } of planned) {
      const least = plan.distance * (1 - SLACK);
      const { vessel, safety, options } = trip;
      expect(distanceOf(sea, { ...trip, vessel: { ...vessel, draft: 3.5 } })).toBeGreaterThan(
        least,
      );
      expect(
        distanceOf(sea, { ...trip, safety: { ...safety, lateralClearance: 40 } }),
      ).toBeGreaterThan(least);
      const [x, y] = [random() * sea.width, random() * sea.height];
      const ring = (
        [
          [x, y],
          [x + 80, y + 10],
          [x + 70, y + 90],
          [x - 5, y + 60],
        ] as Spot[]
      ).map((at) => sea.positionOf(at));
      const avoiding = { ...trip, options: { ...options, avoidAreas: [[ring]] } };
      const answer = planWarm(avoiding, sea);
      if (answer.success) {
        expect(answer.distance).toBeGreaterThan(least);
        expectSafe(sea, { ...avoiding, safety: { ...safety, lateralClearance: 0 } }, answer);
      }
    }
  });

  it('the return path has the same length', () => {
    const ratios: number[] = [];
    for (const { sea, trip, plan } of planned) {
      const back = distanceOf(sea, { ...trip, waypoints: trip.waypoints.toReversed() });
      ratios.push(Math.abs(back / plan.distance - 1));
    }
    ratios.sort((a, b) => a - b);
    expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(0.01);
    expect(ratios.at(-1)).toBeLessThan(0.08);
  });

  it('the same sea shifted by 360°, or read square by square, gives the same path', () => {
    const random = seededRandom(13);
    for (const { sea, trip, plan } of planned) {
      const turned = trip.waypoints.map(
        ([longitude, latitude]): Position => [longitude + 360, latitude],
      );
      const answer = planWarm({ ...trip, waypoints: turned }, sea);
      expect(answer.success && answer.path.map(rounded)).toEqual(plan.path.map(rounded));
      if (random() < 0.3) expect(planCold(trip, sea)).toEqual(plan);
    }
  });

  it('the same shapes across the 180th meridian give the same lengths', () => {
    const random = seededRandom(14);
    for (let i = 0; i < ROUNDS / 4; i++) {
      const { plan } = randomSea(random, { density: 4, corner: [8192, 8000] });
      const here = makeSea(plan);
      const there = makeSea({ ...plan, corner: [16383, 8000] });
      const spots: Spot[] = [
        [20, 20],
        [490, 480],
      ];
      const lengths = [here, there].map((sea) =>
        distanceOf(sea, tripOf(spots.map((at) => sea.positionOf(at)))),
      );
      if (lengths[0] === Number.POSITIVE_INFINITY) expect(lengths[1]).toBe(lengths[0]);
      else expect(Math.abs(lengths[1]! / lengths[0]! - 1)).toBeLessThan(SLACK);
    }
  });

  it('no path is shorter than the great circle, and the lengths of legs add up', () => {
    for (const { trip, plan } of planned) {
      const [from, to] = trip.waypoints as [Position, Position];
      expect(plan.distance).toBeGreaterThan(distanceMeters(...from, ...to) * 0.994);
      const sum = plan.legs.reduce((all, { distance }) => all + distance, 0);
      expect(sum).toBeCloseTo(plan.distance, 6);
      for (const [i, { from: start }] of plan.legs.entries()) expect(start).toEqual(plan.path[i]);
    }
  });
});

function rounded([longitude, latitude]: Position): string {
  return `${longitude.toFixed(7)} ${latitude.toFixed(7)}`;
}
