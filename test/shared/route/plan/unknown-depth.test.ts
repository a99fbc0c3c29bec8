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

it.each(
  (
    [
      ['', undefined, 'The least charted depth along the path is 12 m'],
      [
        ' of at most 9 m',
        9,
        'Part of the path lies in water of unknown depth; the least depth stated at it is 9 m, and the water may be shallower; 2.5 m is needed.',
      ],
      [' of at most 12 m', 12, 'The least charted depth along the path is 12 m'],
      [' of at most 14 m', 14, 'The least charted depth along the path is 12 m'],
    ] as const
  ).flatMap(([what, depth, text]) => [
    [what, 'east', depth, text] as const,
    [what, 'west', depth, text] as const,
  ]),
)('a leg through water of unknown depth%s in the %s', (_, side, depth, text) => {
  const isEast = side === 'east';
  const halves = [box(-5, -5, 256, 517), box(256, -5, 517, 517)];
  const unknown: Shape = {
    ...{ ring: halves[isEast ? 1 : 0]!, kind: 'unknown-depth' },
    flags: SEA_FLAGS.unknownDepth,
    ...(depth === undefined ? {} : { depth }),
  };
  const charted = { ring: halves[isEast ? 0 : 1]!, kind: 'depth', depth: 12 } as const;
  const shapes = [charted, unknown];
  // Deeper than any depth code: as in cells without other objects.
  const world = makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 1e6, shapes });
  const allowed = { safety: { allowUnknownDepth: true } };
  const planOf = (...spots: Spot[]) =>
    mustPlan(world, tripOf(spots.map(world.positionOf), allowed));
  const legsOf = (plan: Plan) => plan.legs.map(({ minDepth }) => minDepth);
  const [near, far]: Spot[] = isEast
    ? [
        [300, 256],
        [500, 256],
      ]
    : [
        [200, 256],
        [20, 256],
      ];
  expect(legsOf(planOf(near!, far!))).toEqual([depth]);
  const start: Spot = isEast ? [20, 256] : [490, 256];
  for (const spots of [
    [start, near!, far!],
    [far!, near!, start],
  ]) {
    const both = planOf(...spots);
    expect(legsOf(both)).toContain(Math.min(12, depth ?? 12));
    const shallowest = both.warnings.find(({ code }) => code === 'SHALLOWEST')!;
    expect(shallowest.message).toContain(text);
  }
});
