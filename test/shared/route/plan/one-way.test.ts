// One-way fairways that are often the only way: rivers and entrances of harbours.

import { expect, it } from 'vitest';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import { mustPlan } from '../../../support/route/expect-safe.ts';
import { box, LAND, makeSea, type Shape, type Spot } from '../../../support/route/synthetic-sea.ts';
import { planWarm, tripOf } from '../../../support/route/trips.ts';

/** A lane to the west in the open sea. */
const LANE: Shape = {
  ring: box(300, 700, 1700, 800),
  kind: 'restricted',
  flags: SEA_FLAGS.lane,
  laneBearing: 270,
  hasEdges: false,
};

/** A channel of 13 km between two walls in the open sea. Its direction is to the west. */
function seaWith(flags: number, others: readonly Shape[] = []) {
  const channel = { ring: box(300, 500, 1700, 524), kind: 'restricted', flags } as const;
  return makeSea({
    ...{ corner: [8200, 8600], squares: [8, 4], depth: 20 },
    shapes: [
      { ...channel, laneBearing: 270, hasEdges: false },
      { ...LAND, ring: box(300, 470, 1700, 500) },
      { ...LAND, ring: box(300, 524, 1700, 554) },
      ...others,
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

it('later parts of such a trip follow lanes again', () => {
  const sea = seaWith(SEA_FLAGS.lane, [LANE]);
  const last: Spot[] = [
    [200, 750],
    [1900, 750],
  ];
  const plan = (spots: readonly Spot[], most: number) => {
    const trip = tripOf(spots.map(sea.positionOf), { options: { followTss: true } });
    const found = planWarm(trip, sea, most);
    if (!found.success) throw new Error(found.failures[0]!.message);
    return found;
  };
  const { legs } = plan([...ENDS, ENDS[0]!, ...last], 2000);
  const [longitude] = sea.positionOf(last[0]!);
  const first = legs.findIndex(({ from }) => Math.abs(from[0] - longitude) < 1e-8);
  const distance = legs.slice(first).reduce((sum, leg) => sum + leg.distance, 0);
  expect(distance).toBeCloseTo(plan(last, 1000).distance, 0);
  // Not the straight course, which goes against the lane.
  expect(distance).toBeGreaterThan(16_200);
});
