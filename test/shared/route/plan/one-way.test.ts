// One-way fairways that are often the only way: rivers and entrances of harbours.

import { expect, it } from 'vitest';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import { mustPlan } from '../../../support/route/expect-safe.ts';
import { box, LAND, makeSea, type Spot } from '../../../support/route/synthetic-sea.ts';
import { planWarm, tripOf } from '../../../support/route/trips.ts';

/** A channel of 13 km between two walls in the open sea. Its direction is to the west. */
function seaWith(flags: number) {
  const channel = { ring: box(300, 500, 1700, 524), kind: 'restricted', flags } as const;
  return makeSea({
    ...{ corner: [8200, 8600], squares: [8, 4], depth: 20 },
    shapes: [
      { ...channel, laneBearing: 270, hasEdges: false },
      { ...LAND, ring: box(300, 470, 1700, 500) },
      { ...LAND, ring: box(300, 524, 1700, 554) },
    ],
  });
}
const ENDS: Spot[] = [
  [20, 512],
  [700, 512],
];
const STRAIGHT_METERS = 6420;

it('a goal in a one-way fairway is reached against its direction, not by a long way around', () => {
  const sea = seaWith(SEA_FLAGS.fairway | SEA_FLAGS.oneWay);
  const trip = tripOf(ENDS.map(sea.positionOf), { options: { followTss: true } });
  const { distance, warnings, effort } = mustPlan(sea, trip);
  expect(distance).toBeLessThan(1.01 * STRAIGHT_METERS);
  expect(warnings.map(({ message }) => message).join()).toContain('goes against a one-way');
  expect(effort.expanded).toBeLessThan(8000);
});

it('if the search of a way along lanes ends at its limit, lanes are ignored, with a warning', () => {
  const sea = seaWith(SEA_FLAGS.lane);
  const planWith = (followTss: boolean, most: number) =>
    planWarm(tripOf(ENDS.map(sea.positionOf), { options: { followTss } }), sea, most);
  const around = planWith(true, 100_000);
  expect(around.success && around.distance).toBeGreaterThan(3 * STRAIGHT_METERS);
  const through = planWith(true, 1000);
  if (!through.success) throw new Error(through.failures[0]!.message);
  expect(through.distance).toBeLessThan(1.01 * STRAIGHT_METERS);
  expect(through.warnings.map(({ code }) => code)).toContain('CROSSES_LANE');
  // The leaves of both searches.
  expect(through.effort.expanded).toBeGreaterThanOrEqual(1000);
});
