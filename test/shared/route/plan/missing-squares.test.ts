// The result does not depend on the squares that are already loaded: a search that pauses for a missing
// square resumes with the same state.

import { expect, test } from 'vitest';
import { pointOf } from '../../../../shared/route/plan/geometry/plane.ts';
import { searchContext } from '../../../../shared/route/plan/search/find-path.ts';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import { box, LAND, makeSea, type SyntheticSea } from '../../../support/route/synthetic-sea.ts';
import { planCold, planWarm, tripOf } from '../../../support/route/trips.ts';

/** A channel of five cells: south along the western shore, east, and north along the eastern one. */
function channelAround(squares: number): SyntheticSea {
  const width = squares * 256;
  const [west, east, south] = [60, width - 50, width - 40];
  const half = 2.5;
  return makeSea({
    corner: [8200, 8600],
    squares: [squares, squares],
    depth: 20,
    shapes: [
      box(0, 0, west - half, width),
      box(west + half, 0, east - half, south - half),
      box(west - half, south + half, width, width),
      box(east + half, 0, width, width),
    ].map((ring) => ({ ...LAND, ring })),
  });
}

test.each([5, 6, 8])(
  'a route with a distance from the shore is the same if the squares of a sea %i squares wide load on request',
  (squares) => {
    const sea = channelAround(squares);
    const spots = [
      [60, 40],
      [squares * 256 - 50, 40],
    ] as const;
    const trip = tripOf(spots.map(sea.positionOf), { safety: { shoreDistance: 100 } });
    const warm = planWarm(trip, sea);
    expect(warm.success).toBe(true);
    expect(planCold(trip, sea)).toEqual(warm);
  },
);

test('whether a fairway is near does not depend on the loaded squares', () => {
  const fairway = { ring: box(500, 500, 900, 560), flags: SEA_FLAGS.fairway };
  const sea = makeSea({
    corner: [8200, 8600],
    squares: [16, 8],
    depth: 20,
    shapes: [{ ...fairway, kind: 'depth', hasEdges: false }],
  });
  for (const [spot, isNear] of [
    [[1800, 1800], true],
    [[12 * 256, 4 * 256], false],
  ] as const) {
    const trip = tripOf([sea.positionOf(spot), sea.positionOf([10, 10])]);
    const { water } = searchContext(trip, sea, 1);
    const { x, y } = pointOf(trip.waypoints[0]!);
    const asked = () => water.isDearAround(2, Math.floor(x / 4), Math.floor(y / 4));
    expect(asked()).toBe(isNear);
    water.viewOfCell(Math.floor(x), Math.floor(y));
    expect(asked()).toBe(isNear);
  }
});
