// Water of unknown depth whose greatest depth is charted (DRVAL2), next to a path.

import { expect, it } from 'vitest';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import { mustFail, mustPlan } from '../../../support/route/expect-safe.ts';
import { box, makeSea, type Shape } from '../../../support/route/synthetic-sea.ts';
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
