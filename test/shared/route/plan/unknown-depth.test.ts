// Water of unknown depth whose greatest depth is charted (DRVAL2), next to a path and on it.

import { expect, it } from 'vitest';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import type { Plan } from '../../../../shared/route/trip.ts';
import { mustFail, mustPlan } from '../../../support/route/expect-safe.ts';
import { box, makeSea, type Shape, type Spot } from '../../../support/route/synthetic-sea.ts';
import { tripOf } from '../../../support/route/trips.ts';

it.each([
  [0.5, 'WAYPOINT_NEAR_DANGER'],
  [2.4, 'WAYPOINT_NEAR_DANGER'],
  [5, undefined],
  [undefined, undefined],
])(
  'keeps clear of water of unknown depth of at most %s m only if it is too shallow',
  (depth, code) => {
    const shoal: Shape = {
      ...{ ring: box(100, 200, 400, 250), kind: 'unknown-depth', flags: SEA_FLAGS.unknownDepth },
      ...(depth === undefined ? {} : { depth }),
    };
    const world = makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 20, shapes: [shoal] });
    const ends = [[150, 256] as const, [350, 256] as const].map(world.positionOf);
    const asked = tripOf(ends, {
      safety: { allowUnknownDepth: true, lateralClearance: 100 },
    });
    if (code === undefined) mustPlan(world, asked);
    else expect(mustFail(world, asked).failures[0]!.code).toBe(code);
  },
);

it.each([
  ['', undefined, 'The least charted depth along the path is 12 m'],
  [' of at most 9 m', 9, 'Water of unknown depth along the path is not deeper than 9 m'],
  [' of at most 14 m', 14, 'The least charted depth along the path is 12 m'],
])('a leg through water of unknown depth%s', (_, depth, text) => {
  const west = { ring: box(-5, -5, 256, 517), kind: 'depth', depth: 12 } as const;
  const east: Shape = {
    ...{ ring: box(256, -5, 517, 517), kind: 'unknown-depth' },
    flags: SEA_FLAGS.unknownDepth,
    ...(depth === undefined ? {} : { depth }),
  };
  const shapes = [west, east];
  // Deeper than any depth code: as in cells without other objects.
  const world = makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 1e6, shapes });
  const allowed = { safety: { allowUnknownDepth: true } };
  const planOf = (...spots: Spot[]) =>
    mustPlan(world, tripOf(spots.map(world.positionOf), allowed));
  const legsOf = (plan: Plan) => plan.legs.map(({ minDepth }) => minDepth);
  expect(legsOf(planOf([300, 256], [500, 256]))).toEqual([depth]);
  const both = planOf([20, 256], [200, 256], [500, 256]);
  expect(legsOf(both)).toEqual([12, Math.min(12, depth ?? 12)]);
  const shallowest = both.warnings.find(({ code }) => code === 'SHALLOWEST')!;
  expect(shallowest.message).toContain(text);
});
