// Requirements on every path over a synthetic sea.

import { expect } from 'vitest';
import type { NoPlan, Plan, Trip } from '../../../shared/route/trip.ts';
import { SeaJudge } from './sea-judge.ts';
import type { SyntheticSea } from './synthetic-sea.ts';
import { planWarm } from './trips.ts';

/** The earth radii of the two implementations differ by 0.3 %. */
export const ALLOWED = 0.995;

export function expectSafe(sea: SyntheticSea, trip: Trip, plan: Plan, note = ''): void {
  const judge = new SeaJudge(sea, trip);
  const { lateralClearance } = trip.safety;
  for (const { from, to } of plan.legs) {
    const meters = judge.metersFromDanger(from, to, lateralClearance);
    expect(meters, `${note} ${from} ${to}`).toBeGreaterThan(0);
    expect(meters, `${note} ${from} ${to}`).toBeGreaterThanOrEqual(lateralClearance * ALLOWED);
  }
  expect(plan.path.length).toBe(plan.legs.length + 1);
  expectTurns(sea, trip, plan, note);
}

/**
 * No point turns more than allowed, and the turning radius fits at each point: the tangents of the
 * arcs at two neighbouring points are together no longer than the leg between them.
 */
export function expectTurns(sea: SyntheticSea, { vessel }: Trip, plan: Plan, note = ''): void {
  const spots = plan.path.map((position) => sea.spotOf(position));
  const tangents = [0];
  for (let i = 1; i < spots.length - 1; i++) {
    const [a, b, c] = [spots[i - 1]!, spots[i]!, spots[i + 1]!];
    const turn = Math.abs(
      Math.atan2(
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]),
        (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]),
      ),
    );
    expect((turn * 180) / Math.PI, `${note} turn ${i}`).toBeLessThanOrEqual(
      vessel.maxTurnAngle + 1e-6,
    );
    tangents.push(vessel.turningRadius * Math.tan(turn / 2));
  }
  tangents.push(0);
  if (vessel.turningRadius === 0) return;
  for (const [i, { distance }] of plan.legs.entries()) {
    const room = distance * 1.005 + 0.05;
    expect(tangents[i]! + tangents[i + 1]!, `${note} leg ${i}`).toBeLessThanOrEqual(room);
  }
}

export function mustPlan(sea: SyntheticSea, trip: Trip): Plan {
  const answer = planWarm(trip, sea);
  if (!answer.success) throw new Error(answer.failures.map(({ message }) => message).join('\n'));
  expectSafe(sea, trip, answer);
  return answer;
}

export function mustFail(sea: SyntheticSea, trip: Trip): NoPlan {
  const answer = planWarm(trip, sea);
  if (answer.success) throw new Error('The planner found a path in a sea without one');
  for (const { code, message } of answer.failures)
    expect(message.startsWith(`${code}: `)).toBe(true);
  return answer;
}
