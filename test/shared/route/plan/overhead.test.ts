// A path under an overhead obstruction has a warning, even far from waypoints.

import { expect, test } from 'vitest';
import { makeSea, type Shape } from '../../../support/route/synthetic-sea.ts';
import { planCold, planWarm, tripOf } from '../../../support/route/trips.ts';

const SQUARES = 32;
const HEIGHTS = [5, 30, 10];

test.each([['not given', undefined] as const, ['3 m', 3] as const])(
  'each of three bridges, 30 km and more from the ends of one leg, causes a warning with the air draft %s',
  (_, airDraft) => {
    const bridges = HEIGHTS.map((clearance, i): Shape => {
      const x = (14 + 2 * i) * 256 + 90.5;
      return {
        ring: [
          [x, 30],
          [x, 226],
        ],
        open: true,
        kind: 'overhead',
        clearance,
      };
    });
    const sea = makeSea({
      corner: [8200, 8600],
      squares: [SQUARES, 1],
      depth: 20,
      shapes: bridges,
    });
    const ends = [
      [20, 128],
      [SQUARES * 256 - 20, 129],
    ] as const;
    const trip = tripOf(ends.map(sea.positionOf), { vessel: { airDraft } });
    const plan = planWarm(trip, sea);
    if (!plan.success) throw new Error(plan.failures[0]!.message);
    expect(plan.legs).toHaveLength(1);
    const bridgeWarnings = plan.warnings.filter(({ code }) => code === 'UNDER_BRIDGE');
    expect(
      bridgeWarnings.map(({ message }) => Number(/Clearance ([\d.]+)/.exec(message)![1])),
    ).toEqual(HEIGHTS);
    expect(planCold(trip, sea)).toEqual(plan);
  },
);
