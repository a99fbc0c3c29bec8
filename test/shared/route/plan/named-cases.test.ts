// Named situations. Long runs draw them into node_modules/.cache/leadline-test/route-pictures.

import { describe, expect, it } from 'vitest';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import type { Plan, Trip } from '../../../../shared/route/trip.ts';
import { drawSea } from '../../../support/route/draw-sea.ts';
import { mustFail, mustPlan } from '../../../support/route/expect-safe.ts';
import { island } from '../../../support/route/random-seas.ts';
import { cellMeters } from '../../../support/route/sea-judge.ts';
import {
  box,
  LAND,
  makeSea,
  type SeaPlan,
  type Shape,
  type Spot,
} from '../../../support/route/synthetic-sea.ts';
import { planCold, type TripChanges, tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

/** At 9° south a cell is 9.4 m wide. */
const CORNER: Spot = [8200, 8600];

function sea(shapes: readonly Shape[], plan: Partial<SeaPlan> = {}) {
  return makeSea({ corner: CORNER, squares: [2, 2], depth: 20, shapes, ...plan });
}

function trip(
  world: ReturnType<typeof sea>,
  spots: readonly Spot[],
  changes: TripChanges = {},
): Trip {
  return tripOf(
    spots.map((spot) => world.positionOf(spot)),
    { ...changes, safety: { lateralClearance: 10, ...changes.safety } },
  );
}

function planned(name: string, world: ReturnType<typeof sea>, asked: Trip): Plan {
  const plan = mustPlan(world, asked);
  drawSea(name, world, asked, plan.path);
  expect(planCold(asked, world)).toEqual(plan);
  return plan;
}

const codes = (plan: Plan) => plan.warnings.map(({ code }) => code);
const WEST: Spot = [60.3, 250.4];
const EAST: Spot = [450.7, 260.2];

describe('named cases', () => {
  it('passes a channel of 40 m through an isthmus, and not one of 19 m', () => {
    const isthmus = (half: number): Shape[] => [
      { ...LAND, ring: box(200, 0, 300, 256 - half) },
      { ...LAND, ring: box(200, 256 + half, 300, 512) },
    ];
    // The clearance is 10 m to each side: 20 m of the width.
    const wide = sea(isthmus(2.15));
    planned('narrow-channel', wide, trip(wide, [WEST, EAST]));
    const narrow = sea(isthmus(1.05));
    const { failures } = mustFail(narrow, trip(narrow, [WEST, EAST]));
    expect(failures[0]!.code).toBe('NO_PATH');
    expect(failures[0]!.message).toContain('too narrow');
    planned(
      'narrow-channel-no-clearance',
      narrow,
      trip(narrow, [WEST, EAST], { safety: { lateralClearance: 0 } }),
    );
  });

  it('avoids the drying bank at the edge of a channel', () => {
    const bank: Spot[] = [
      [200, 240],
      [250, 262],
      [300, 240],
    ];
    const world = sea([
      { ...LAND, ring: box(200, 0, 300, 240) },
      { ...LAND, ring: box(200, 280, 300, 512) },
      { ring: bank, kind: 'depth', depth: -1.2 },
    ]);
    const plan = planned(
      'drying-bank',
      world,
      trip(world, [
        [60, 245],
        [450, 245],
      ]),
    );
    expect(Math.max(...plan.path.map((position) => world.spotOf(position)[1]))).toBeGreaterThan(
      262,
    );
  });

  it('avoids a bridge that is too low, and passes under it with a lower mast', () => {
    const world = sea([
      { ...LAND, ring: box(240, 60, 260, 230) },
      { ...LAND, ring: box(240, 280, 260, 512) },
      {
        ring: [
          [250, 230],
          [250, 280],
        ],
        open: true,
        kind: 'overhead',
        clearance: 12,
      },
    ]);
    const high = planned(
      'bridge-too-low',
      world,
      trip(world, [WEST, EAST], { vessel: { airDraft: 18 } }),
    );
    expect(Math.min(...high.path.map((position) => world.spotOf(position)[1]))).toBeLessThan(60);
    const low = planned(
      'bridge-high-enough',
      world,
      trip(world, [WEST, EAST], { vessel: { airDraft: 11 } }),
    );
    expect(low.distance).toBeLessThan(high.distance);
    const under = low.warnings.find(({ code }) => code === 'UNDER_BRIDGE')!;
    expect(under.message).toContain('12 m');
    expect(world.spotOf(under.position!)[0]).toBeCloseTo(250, 0);
    const unknown = planned('bridge-no-air-draft', world, trip(world, [WEST, EAST]));
    expect(codes(unknown)).toContain('UNDER_BRIDGE');
  });

  it('passes a lock with a warning, unless the option forbids locks', () => {
    const world = sea([
      { ...LAND, ring: box(240, 60, 260, 245) },
      { ...LAND, ring: box(240, 270, 260, 512) },
      { ring: box(242, 245, 258, 270), kind: 'restricted', flags: SEA_FLAGS.lock, hasEdges: false },
    ]);
    const through = planned('lock', world, trip(world, [WEST, EAST]));
    expect(codes(through)).toContain('LOCK');
    const around = planned(
      'lock-avoided',
      world,
      trip(world, [WEST, EAST], { options: { avoid: new Set(['locks']) } }),
    );
    expect(codes(around)).not.toContain('LOCK');
    expect(around.distance).toBeGreaterThan(through.distance);
  });

  it('finds the way out of a marina between pontoons', () => {
    const shapes: Shape[] = [
      { ...LAND, ring: box(60, 60, 80, 300) },
      { ...LAND, ring: box(60, 60, 320, 80) },
      { ...LAND, ring: box(300, 60, 320, 290) },
      { ...LAND, ring: box(60, 280, 280, 300) },
    ];
    for (let x = 100; x < 300; x += 20) {
      const ring: Spot[] = [
        [x, x % 40 === 20 ? 80 : 95],
        [x, x % 40 === 20 ? 265 : 280],
      ];
      shapes.push({ ring, open: true, kind: 'structure', depth: Number.NaN });
    }
    const world = sea(shapes);
    const plan = planned(
      'pontoon-marina',
      world,
      trip(world, [
        [90, 270],
        [450, 450],
      ]),
    );
    expect(plan.legs.length).toBeGreaterThan(10);
  });

  it('finds the way through an island maze', () => {
    const random = seededRandom(31);
    const shapes = Array.from({ length: 260 }, (): Shape => {
      const [x, y] = [20 + random() * 470, 20 + random() * 470];
      return { ...LAND, ring: island(random, x, y, 4 + random() * 9, 9) };
    }).filter(({ ring }) =>
      ring.every(([x, y]) => Math.hypot(x - 12, y - 12) > 12 && Math.hypot(x - 500, y - 500) > 12),
    );
    const world = sea(shapes);
    planned(
      'island-maze',
      world,
      trip(world, [
        [12, 12],
        [500, 500],
      ]),
    );
  });

  it('accepts waypoints on the border and the corner of squares', () => {
    const world = sea([{ ...LAND, ring: island(seededRandom(4), 256, 180, 60, 17) }]);
    const plan = planned(
      'square-border',
      world,
      trip(world, [
        [256, 40],
        [256, 256],
        [40, 256],
        [256, 470],
      ]),
    );
    expect(plan.path.length).toBeGreaterThan(4);
  });

  it('crosses from fine cells over coarser ones to fine ones', () => {
    const random = seededRandom(8);
    const shapes = Array.from({ length: 60 }, (): Shape => {
      const [x, y] = [random() * 4096, random() * 2048];
      return { ...LAND, ring: island(random, x, y, 40 + random() * 120, 20) };
    }).filter(({ ring }) => ring.every(([x]) => x > 150 && x < 3900));
    const world = makeSea({
      corner: [8200, 8600],
      squares: [16, 8],
      depth: 20,
      shapes,
      finestZoom: (x) => (x === 0 ? 14 : 11),
    });
    expect(world.square(11, 1025, 1075)!.hasFiner.includes(1)).toBe(true);
    expect(world.square(11, 1026, 1075)!.hasFiner.includes(1)).toBe(false);
    planned(
      'bands',
      world,
      trip(world, [
        [60, 900],
        [4000, 1100],
      ]),
    );
  });

  it('crosses the 180th meridian in both directions', () => {
    const world = sea([{ ...LAND, ring: island(seededRandom(5), 256, 250, 120, 31) }], {
      corner: [16383, 8600],
    });
    const [a, b] = [world.positionOf(WEST), world.positionOf(EAST)];
    expect([a[0] > 179, b[0] < -179]).toEqual([true, true]);
    const there = planned('across-180', world, trip(world, [WEST, EAST]));
    const back = planned('across-180-back', world, trip(world, [EAST, WEST]));
    expect(Math.abs(there.distance - back.distance)).toBeLessThan(0.01 * there.distance);
    for (const [longitude] of there.path) expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
  });

  it('plans near the pole if a waypoint is there', () => {
    const world = sea([{ ...LAND, ring: island(seededRandom(6), 256, 250, 120, 31) }], {
      corner: [8200, 700],
    });
    expect(world.positionOf(WEST)[1]).toBeGreaterThan(83);
    planned('near-pole', world, trip(world, [WEST, EAST]));
  });
});

describe('bad waypoints', () => {
  const world = sea([
    { ...LAND, ring: box(100, 100, 160, 160) },
    { ring: box(200, 100, 260, 160), kind: 'depth', depth: 1.2 },
    { ring: box(300, 100, 360, 160), kind: 'prohibited', flags: SEA_FLAGS.prohibited },
    { ring: box(100, 300, 160, 360), kind: 'overhead', clearance: 4 },
    { ring: box(200, 300, 260, 360), kind: 'unknown-depth', flags: SEA_FLAGS.unknownDepth },
  ]);

  it('are all named, each with its problem and a safe position', () => {
    const asked = trip(
      world,
      [
        [130, 130],
        [230, 130],
        [330, 130],
        [130, 330],
        [230, 330],
        [98.97, 130],
        [20, 20],
      ],
      {
        vessel: { airDraft: 6 },
      },
    );
    const { failures } = mustFail(world, asked);
    expect(failures.map(({ code, waypoint }) => [code, waypoint])).toEqual([
      ['WAYPOINT_ON_LAND', 0],
      ['WAYPOINT_TOO_SHALLOW', 1],
      ['WAYPOINT_IN_PROHIBITED_AREA', 2],
      ['WAYPOINT_UNDER_LOW_CLEARANCE', 3],
      ['WAYPOINT_TOO_SHALLOW', 4],
      ['WAYPOINT_NEAR_DANGER', 5],
    ]);
    expect(failures[1]!.message).toContain('a charted depth of 1.2 m, and');
    const deep = trip(
      world,
      [
        [20, 20],
        [20, 60],
      ],
      { vessel: { draft: 25 } },
    );
    expect(mustFail(world, deep).failures[0]!.message).toContain(
      'a charted depth of at least 20 m (rounded down), and',
    );
    for (const { nearest, message } of failures) {
      expect(message).toContain('nearest safe place');
      mustPlan(world, trip(world, [world.spotOf(nearest!), [20, 20]], { vessel: { airDraft: 6 } }));
    }
  });

  it.each([
    [907, 2000],
    [907, 1000],
    [1719, 2000],
  ])('%i m from a straight coast are less than %i m away from it', (off, lateralClearance) => {
    const coast = 300;
    const open = sea([{ ...LAND, ring: box(0, 0, coast, 1024) }], { squares: [4, 4] });
    const meters = cellMeters(open, 512);
    const spots: Spot[] = [
      [coast + off / meters, 512.3],
      [700, 512],
    ];
    const { failures } = mustFail(open, trip(open, spots, { safety: { lateralClearance } }));
    const [x, y] = open.spotOf(failures[0]!.nearest!);
    const moved = Math.hypot(x - spots[0]![0], y - spots[0]![1]) * meters;
    expect(moved / (lateralClearance - off)).toBeGreaterThan(0.99);
    expect(moved).toBeLessThan((lateralClearance - off) * 1.01 + 2 * meters);
  });

  it('are not those on a latitude limit at the equator', () => {
    const across = sea([], { corner: [8200, 8191] });
    const spots = (
      [
        [100, 256],
        [400, 256],
      ] as Spot[]
    ).map((spot) => across.positionOf(spot));
    const waypoints = spots.map(([longitude]): [number, number] => [longitude, 0]);
    for (const latitudeLimits of [
      [-66, 0],
      [0, 60],
    ] as [number, number][])
      mustPlan(across, tripOf(waypoints, { options: { latitudeLimits } }));
  });

  it('are moved up to the allowed distance, with a warning', () => {
    const spots: Spot[] = [
      [158, 130],
      [20, 20],
    ];
    const near = trip(world, spots, { options: { maxSnapDistance: 60 } });
    const plan = mustPlan(world, near);
    expect(codes(plan)).toContain('SNAPPED');
    expect(world.spotOf(plan.path[0]!)[0]).toBeGreaterThan(160);
    expect(world.spotOf(plan.path[0]!)[0]).toBeLessThan(163);
    mustFail(world, trip(world, spots, { options: { maxSnapDistance: 20 } }));
  });

  it('are reported if one end is enclosed', () => {
    const ring = [
      { ...LAND, ring: box(100, 100, 110, 200) },
      { ...LAND, ring: box(190, 100, 200, 200) },
      { ...LAND, ring: box(100, 100, 200, 110) },
      { ring: box(100, 190, 200, 200), kind: 'depth', depth: 1.8 } as const,
    ];
    const pond = sea(ring);
    for (const [spots, waypoint] of [
      [
        [
          [150, 150],
          [400, 400],
        ],
        0,
      ],
      [
        [
          [400, 400],
          [150, 150],
        ],
        1,
      ],
    ] as [Spot[], number][]) {
      const { failures } = mustFail(pond, trip(pond, spots));
      expect(failures[0]).toMatchObject({ code: 'WAYPOINT_ENCLOSED', waypoint });
      expect(failures[0]!.message).toContain('a path exists for 1.2 m');
    }
  });

  it('are reported as uncharted outside the charts', () => {
    const outside = world.positionOf([-40, 250]);
    const asked = tripOf([outside, world.positionOf([20, 20])]);
    expect(mustFail(world, asked).failures[0]).toMatchObject({
      code: 'OUTSIDE_COVERAGE',
      waypoint: 0,
    });
  });

  it('are not moved from beyond the map to its border', () => {
    const north = sea([], { corner: [8200, 0] });
    const inside = north.positionOf([250, 250]);
    for (const latitude of [86, 89, 90]) {
      const spots = [[inside[0], latitude] as const, inside];
      const asked = tripOf(spots, { options: { maxSnapDistance: 5 } });
      const [failure] = mustFail(north, asked).failures;
      expect(failure).toMatchObject({ code: 'OUTSIDE_COVERAGE', waypoint: 0 });
      expect(failure!.message).not.toContain('nearest safe place');
    }
  });
});
