// Land that is thin and long, between two places that lie close together: the way leads around its end.

import { expect, test } from 'vitest';
import { SeaJudge } from '../../../support/route/sea-judge.ts';
import { LAND, makeSea, type Spot } from '../../../support/route/synthetic-sea.ts';
import { planCold, planWarm, tripOf } from '../../../support/route/trips.ts';

test.each([
  ['nearly as wide as the way', 9, 0],
  ['wide', 30, 10],
])(
  'a wall a hundred times as long as the line across it is sailed around, the gap at its end %s',
  (_, gap, lateralClearance) => {
    const width = 8 * 256;
    const middle = width / 2;
    const ring: Spot[] = [
      [gap, middle - 3.3],
      [width - 0.1, middle - 3.3],
      [width - 0.1, middle + 3.7],
      [gap, middle + 3.7],
    ];
    const sea = makeSea({
      corner: [16_380, 5000],
      squares: [8, 8],
      depth: 20,
      shapes: [{ ...LAND, ring }],
    });
    const ends: Spot[] = [
      [width - 40, middle - 20],
      [width - 40, middle + 20],
    ];
    const trip = tripOf(ends.map(sea.positionOf), { safety: { lateralClearance } });
    const plan = planWarm(trip, sea);
    if (!plan.success) throw new Error(plan.failures[0]!.message);
    const judge = new SeaJudge(sea, trip);
    const tooNear = plan.legs.filter(
      ({ from, to }) =>
        judge.metersFromDanger(from, to, lateralClearance) < lateralClearance * 0.995,
    );
    expect(tooNear).toEqual([]);
    expect(plan.effort.expanded).toBeLessThan(80_000);
    expect(planCold(trip, sea)).toEqual(plan);
  },
);
