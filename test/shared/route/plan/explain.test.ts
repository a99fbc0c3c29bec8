// Why a trip is refused: the limit that closes the way, or all limits that were checked.

import { describe, expect, it } from 'vitest';
import { pointOf } from '../../../../shared/route/plan/geometry/plane.ts';
import { explainRefusal } from '../../../../shared/route/plan/refusal/explain.ts';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import type { Trip } from '../../../../shared/route/trip.ts';
import { cellMeters } from '../../../support/route/sea-judge.ts';
import {
  box,
  LAND,
  makeSea,
  type Shape,
  type Spot,
  type SyntheticSea,
} from '../../../support/route/synthetic-sea.ts';
import { planCold, type TripChanges, tripOf } from '../../../support/route/trips.ts';

const BANK = { kind: 'depth', depth: 1.8 } as const;
const NO_CHART = { kind: 'no-data', depth: Number.NaN } as const;
const WEST: Spot = [60.3, 250.4];
const EAST: Spot = [450.7, 260.2];
/** The gap between walls across the sea, in cells. */
const GAP = { x: 255, y: 300, width: 3.6 };

/** Two parts of a wall with a gap, which is widest at its ends. */
function walls(kind: typeof LAND | typeof BANK | typeof NO_CHART): Shape[] {
  const half = GAP.width / 2;
  return [
    { ...kind, ring: box(200, 0, 310, GAP.y - 8) },
    { ...kind, ring: box(200, GAP.y + 8, 310, 512) },
    { ...kind, ring: box(GAP.x - 1, GAP.y - 9, GAP.x + 1, GAP.y - half) },
    { ...kind, ring: box(GAP.x - 1, GAP.y + half, GAP.x + 1, GAP.y + 9) },
  ];
}

const sea = (...shapes: Shape[]) =>
  makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 20, shapes });

const tripOver = (world: SyntheticSea, changes: TripChanges): Trip =>
  tripOf([world.positionOf(WEST), world.positionOf(EAST)], changes);

function refusal(world: SyntheticSea, changes: TripChanges): string {
  const answer = planCold(tripOver(world, changes), world);
  if (answer.success) throw new Error('a path was found');
  expect(['NO_PATH', 'WAYPOINT_ENCLOSED']).toContain(answer.failures[0]!.code);
  return answer.failures[0]!.message;
}

describe('a refusal because of width', () => {
  it.each([
    ['land', LAND],
    ['water that is too shallow', BANK],
    ['ground without a chart', NO_CHART],
  ] as const)('names the narrowest place between %s, and its width', (_, kind) => {
    const world = sea(...walls(kind));
    const message = refusal(world, { safety: { lateralClearance: 30 } });
    const named = /at ([\d.]+)°S ([\d.]+)°(W|E), is about (\d+) m wide/.exec(message);
    expect(named, message).not.toBeNull();
    const [, south, across, side, width] = named!;
    const [x, y] = world.spotOf([Number(across) * (side === 'W' ? -1 : 1), -Number(south)]);
    expect(Math.abs(x - GAP.x), message).toBeLessThan(1.5);
    expect(Math.abs(y - GAP.y), message).toBeLessThan(0.3);
    const meters = GAP.width * cellMeters(world, GAP.y);
    expect(Number(width), message).toBeGreaterThanOrEqual(Math.floor(meters) - 1);
    expect(Number(width), message).toBeLessThanOrEqual(Math.ceil(meters));
  });

  it('counts half the beam as the least lateral clearance', () => {
    const world = sea(...walls(LAND));
    const changes = { vessel: { beam: 60 }, safety: { lateralClearance: 0 } };
    const message = refusal(world, changes);
    expect(message).toContain('too narrow for a lateral clearance of 30 m');
    expect(message).toMatch(/is about 3\d m wide/);
    expect(planCold(tripOver(world, { vessel: { beam: 12 } }), world).success).toBe(true);
  });
});

it.each([
  [16.8, 17.4, ', or too little deeper, because depths of more than 16 m are rounded down;'],
  [10, 9, ';'],
])(
  'a refusal of a draft of %d m over %d m states whether depths are rounded',
  (draft, depth, text) => {
    const world = sea({ kind: 'depth', depth, ring: box(200, 0, 220, 512) });
    const message = refusal(world, { vessel: { draft } });
    expect(message).toContain(
      `It is too shallow for a draft of ${draft} m${text} a path exists for`,
    );
  },
);

describe('a refusal that no single limit explains', () => {
  it('names every limit that was checked', () => {
    const world = sea(
      { ...BANK, ring: box(200, 0, 220, 512) },
      { ring: box(300, 0, 320, 512), kind: 'restricted', flags: SEA_FLAGS.restricted },
    );
    const message = refusal(world, {
      vessel: { airDraft: 12 },
      safety: { lateralClearance: 15 },
      options: { avoid: new Set(['restricted']) },
    });
    expect(message).toContain(
      'If one of these limits is removed, there is still no path: ' +
        'the lateral clearance (15 m), the draft (2 m), ' +
        'the air draft (12 m), avoided areas (`options.avoid`, `options.avoidAreas`), ' +
        'unknown depths (`safety.allowUnknownDepth`).',
    );
  });

  it('names the limits that the search was too short to check', () => {
    const world = sea(...walls(LAND));
    const trip = tripOver(world, { safety: { lateralClearance: 30 } });
    const ends = [pointOf(trip.waypoints[0]!), pointOf(trip.waypoints[1]!)] as const;
    const search = explainRefusal(trip, world, ends, { each: 40, all: 60 });
    let step = search.next();
    while (step.done !== true) step = search.next();
    expect(step.value).toContain(
      'These limits were not checked, because the search would take too long: the lateral clearance (30 m)',
    );
  });
});
