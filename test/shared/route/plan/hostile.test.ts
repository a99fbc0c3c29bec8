// Difficult trips and seas: the planner ends within its budget, with a valid path or a message.

import { expect, it } from 'vitest';
import { MOST_EXPANDED } from '../../../../shared/route/plan/plan-route.ts';
import type { Trip } from '../../../../shared/route/trip.ts';
import { mustFail, mustPlan } from '../../../support/route/expect-safe.ts';
import { randomSea } from '../../../support/route/random-seas.ts';
import { freeCells } from '../../../support/route/sea-judge.ts';
import {
  LAND,
  makeSea,
  type Shape,
  type Spot,
  type SyntheticSea,
} from '../../../support/route/synthetic-sea.ts';
import { planWarm, tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

function sea(shapes: readonly Shape[], corner: Spot = [8200, 8600], squares: Spot = [2, 2]) {
  return makeSea({ corner, squares, depth: 20, shapes });
}

function trip(world: SyntheticSea, spots: readonly Spot[], lateralClearance = 0) {
  return tripOf(
    spots.map((at) => world.positionOf(at)),
    { safety: { lateralClearance } },
  );
}

/** Walls every `gap` cells with openings at alternating ends. */
function serpentine(gap: number, size: number): Shape[] {
  return Array.from({ length: Math.floor(size / gap) - 1 }, (_, i): Shape => {
    const x = (i + 1) * gap + 0.5;
    const ring: Spot[] =
      i % 2 === 0
        ? [
            [x, 0],
            [x, size - gap],
          ]
        : [
            [x, gap],
            [x, size],
          ];
    return { ...LAND, ring, open: true };
  });
}

/** In a small sea the message may report that one end is enclosed. */
function expectNoWay(world: SyntheticSea, asked: Trip): void {
  expect(['NO_PATH', 'WAYPOINT_ENCLOSED']).toContain(mustFail(world, asked).failures[0]!.code);
}

it('the planner finds the way through a maze of forty walls', () => {
  const world = sea(serpentine(12, 512));
  const plan = mustPlan(
    world,
    trip(world, [
      [5, 5],
      [505, 505],
    ]),
  );
  expect(plan.distance).toBeGreaterThan(40 * 480 * 9.3);
  const shut = sea([
    ...serpentine(12, 512),
    {
      ...LAND,
      ring: [
        [300, 0],
        [300, 512],
      ],
      open: true,
    },
  ]);
  expectNoWay(
    shut,
    trip(shut, [
      [5, 5],
      [505, 505],
    ]),
  );
});

it('the planner plans 25 waypoints that are far apart', () => {
  const random = seededRandom(77);
  const world = randomSea(random, { squares: 4, density: 3, corner: [4000, 7000] });
  const free = freeCells(world, trip(world, [], 10));
  const spots: Spot[] = [];
  while (spots.length < 25) {
    const [x, y] = [random() * world.width, random() * world.height];
    if (free[Math.floor(y) * world.width + Math.floor(x)] === 1) spots.push([x, y]);
  }
  const answer = planWarm(trip(world, spots, 10), world);
  expect(answer.effort.expanded).toBeLessThanOrEqual(MOST_EXPANDED);
  if (answer.success) expect(answer.legs.length).toBeGreaterThanOrEqual(24);
  else expect(answer.failures.length).toBeGreaterThan(0);
});

it('the planner accepts waypoints that are equal or a metre apart', () => {
  const world = sea([]);
  const same = mustPlan(
    world,
    trip(
      world,
      [
        [50, 50],
        [50, 50],
      ],
      10,
    ),
  );
  expect(same.distance).toBe(0);
  expect(same.path.length).toBe(2);
  const [x, y] = [50.02, 50.07];
  const near = mustPlan(
    world,
    trip(
      world,
      [
        [x, y],
        [x + 0.1, y],
        [x + 0.1, y + 0.1],
        [x, y],
      ],
      10,
    ),
  );
  expect(near.distance).toBeGreaterThan(2);
  expect(near.distance).toBeLessThan(4);
  const turning = tripOf(
    [
      [50, 50],
      [50, 50],
      [400, 400],
    ].map((at) => world.positionOf(at as unknown as Spot)),
    {
      vessel: { turningRadius: 50, maxTurnAngle: 20 },
    },
  );
  mustPlan(world, turning);
});

it('the planner does not pass between blocks of land that touch at a corner', () => {
  const blocks: Shape[] = [];
  for (let i = 0; i < 16; i++) {
    const [x, y] = [i * 32, 512 - i * 32];
    blocks.push({
      ...LAND,
      ring: [
        [x, y - 32],
        [x + 32, y - 32],
        [x + 32, y],
        [x, y],
      ],
    });
  }
  const world = sea(blocks);
  expectNoWay(
    world,
    trip(world, [
      [100, 100],
      [400, 400],
    ]),
  );
  // The cells alone, without exact edges, must give the same result.
  const bare = sea(blocks.map((shape) => ({ ...shape, hasEdges: false })));
  expectNoWay(
    bare,
    trip(bare, [
      [100, 100],
      [400, 400],
    ]),
  );
});

it('the planner uses a channel one cell wide, and refuses a closed one', () => {
  const walls = (top: number, bottom: number): Shape[] => [
    {
      ...LAND,
      ring: [
        [200, 0],
        [300, 0],
        [300, top],
        [200, top],
      ],
    },
    {
      ...LAND,
      ring: [
        [200, bottom],
        [300, bottom],
        [300, 512],
        [200, 512],
      ],
    },
  ];
  const one = sea(walls(255.9, 257.1));
  mustPlan(
    one,
    trip(one, [
      [50, 50],
      [450, 450],
    ]),
  );
  const none = sea(walls(256.2, 256.8));
  mustFail(
    none,
    trip(none, [
      [50, 50],
      [450, 450],
    ]),
  );
});

it('the planner respects walls along the 180th meridian and along the borders of squares', () => {
  for (const corner of [
    [8191, 8191],
    [16383, 8600],
    [8199, 8600],
  ] as Spot[]) {
    const wall: Shape = {
      ...LAND,
      ring: [
        [256, 0],
        [256, 512],
      ],
      open: true,
    };
    const across = sea([wall], corner);
    expectNoWay(
      across,
      trip(across, [
        [100, 100],
        [400, 400],
      ]),
    );
    const gap = sea(
      [
        {
          ...wall,
          ring: [
            [256, 0],
            [256, 480],
          ],
        },
      ],
      corner,
    );
    mustPlan(
      gap,
      trip(
        gap,
        [
          [100, 100],
          [400, 400],
        ],
        10,
      ),
    );
    const along = sea(
      [
        {
          ...LAND,
          ring: [
            [0, 256],
            [480, 256],
          ],
          open: true,
        },
      ],
      corner,
    );
    mustPlan(
      along,
      trip(
        along,
        [
          [100, 100],
          [100, 400],
        ],
        10,
      ),
    );
  }
});

it('the planner finds the danger in the middle of open water', () => {
  const rock: Shape = { ring: [[256, 256]], open: true, kind: 'danger', depth: 0.4 };
  const world = sea([rock]);
  const plan = mustPlan(
    world,
    trip(
      world,
      [
        [100, 256],
        [400, 256],
      ],
      25,
    ),
  );
  expect(plan.legs.length).toBeGreaterThan(1);
});

it('the planner never returns a path over a danger that is missing from the cells', () => {
  const rock: Spot[] = [
    [250, 240],
    [262, 256],
    [250, 270],
  ];
  const spots: Spot[] = [
    [100, 256],
    [400, 256],
  ];
  const world = sea([{ ...LAND, ring: rock, hasCells: false }]);
  const plan = mustPlan(world, trip(world, spots, 10));
  expect(plan.legs.length).toBeGreaterThan(1);
  // There are too many gaps to close one by one, so the planner fails.
  const wall: Spot[] = [
    [256, 0],
    [256, 512],
  ];
  const lying = sea([{ ...LAND, ring: wall, open: true, hasCells: false }]);
  const { failures } = mustFail(lying, trip(lying, spots, 10));
  expect(failures[0]!.message).toContain('failed the last check');
});

it('the planner stops a search that is too large, and reports it', () => {
  const world = sea(serpentine(2, 1536), [8200, 8600], [6, 6]);
  const answer = planWarm(
    trip(world, [
      [0.4, 0.4],
      [1535.6, 1535.6],
    ]),
    world,
  );
  expect(answer.effort.expanded).toBeLessThanOrEqual(MOST_EXPANDED);
  if (!answer.success) expect(answer.failures[0]!.code).toBe('SEARCH_LIMIT');
  else expect(answer.path.length).toBeGreaterThan(700);
});
