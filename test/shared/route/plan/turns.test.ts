// Turning radius and maximum turn: each path respects them. If a path cannot respect them, the response
// reports it.

import { describe, expect, it } from 'vitest';
import { cellsOf, type Point, WORLD_CELLS } from '../../../../shared/route/plan/geometry/plane.ts';
import { withSquares } from '../../../../shared/route/plan/read/square-requests.ts';
import { joinPaths } from '../../../../shared/route/plan/search/turns.ts';
import { squaredDistanceToSegment } from '../../../../shared/route/plan/sight/hazard-grid.ts';
import { isLong } from '../../../support/long-run.ts';
import { expectSafe, mustPlan } from '../../../support/route/expect-safe.ts';
import { randomSea } from '../../../support/route/random-seas.ts';
import { flood, freeCells } from '../../../support/route/sea-judge.ts';
import { makeSea, type Spot } from '../../../support/route/synthetic-sea.ts';
import { planWarm, tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const TRIPS = isLong ? 600 : 12;

it(`turn limits hold on ${TRIPS} trips over random seas, at intermediate waypoints too`, () => {
  const random = seededRandom(90_125);
  const counts = { found: 0, infeasible: 0, corners: 0 };
  for (let i = 0; i < TRIPS; i++) {
    const sea = randomSea(random, { density: 1 + random() * 5 });
    const vessel = {
      turningRadius: i % 3 === 0 ? 0 : 5 + random() * 150,
      maxTurnAngle: i % 3 === 1 ? 180 : 5 + random() * 85,
    };
    const bare = tripOf([], { vessel, safety: { lateralClearance: 10 } });
    const free = freeCells(sea, bare);
    const spot = (): Spot => {
      for (;;) {
        const [x, y] = [random() * sea.width, random() * sea.height];
        if (free[Math.floor(y) * sea.width + Math.floor(x)] === 1) return [x, y];
      }
    };
    const spots = Array.from({ length: 2 + Math.floor(random() * 3) }, spot);
    const trip = { ...bare, waypoints: spots.map((at) => sea.positionOf(at)) };
    const answer = planWarm(trip, sea);
    if (answer.success) {
      counts.found++;
      counts.corners += answer.legs.length - 1;
      expectSafe(sea, trip, answer, `trip ${i}`);
      let next = 0;
      for (const at of answer.path) {
        const [x, y] = sea.spotOf(at);
        if (Math.hypot(x - spots[next]![0], y - spots[next]![1]) < 1e-3) next++;
        if (next === spots.length) break;
      }
      expect(next, `trip ${i} passes its waypoints in order`).toBe(spots.length);
      continue;
    }
    const [{ code, waypoint }] = answer.failures as [(typeof answer.failures)[0]];
    if (code === 'TURN_INFEASIBLE') {
      counts.infeasible++;
      expect(waypoint).toBeGreaterThan(0);
      // A path exists without the limits.
      mustPlan(sea, { ...trip, vessel: { ...trip.vessel, turningRadius: 0, maxTurnAngle: 180 } });
    } else {
      expect(['NO_PATH', 'WAYPOINT_ENCLOSED']).toContain(code);
      const reached = flood(sea, trip, spots[0]!, free);
      const all = spots.every(([x, y]) => reached[Math.floor(y) * sea.width + Math.floor(x)] === 1);
      expect(all, `trip ${i} ${code}`).toBe(false);
    }
  }
  expect(counts.found).toBeGreaterThan(TRIPS / 2);
  expect(counts.corners).toBeGreaterThan(counts.found);
}, 900_000);

it('the planner turns around at a waypoint in open water with the given radius', () => {
  const sea = makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 20, shapes: [] });
  const spots: Spot[] = [
    [100, 256],
    [400, 256],
    [100, 250],
  ];
  const trip = tripOf(
    spots.map((at) => sea.positionOf(at)),
    { vessel: { turningRadius: 200 } },
  );
  const plan = mustPlan(sea, trip);
  const passes = plan.path.some(
    (at) => Math.hypot(sea.spotOf(at)[0] - 400, sea.spotOf(at)[1] - 256) < 1e-3,
  );
  expect(passes).toBe(true);
  // The turning circle is part of the path.
  expect(plan.distance).toBeGreaterThan(600 * 9.3 + 200);
});

it('the planner reports the turn at two equal waypoints once', () => {
  const sea = makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 20, shapes: [] });
  const spots: Spot[] = [
    [100, 256],
    [400, 256],
    [400, 256],
    [400, 100],
  ];
  const { legs } = mustPlan(sea, tripOf(spots.map((at) => sea.positionOf(at))));
  const rounded = legs.map(({ bearing, turn }) => [Math.round(bearing), Math.round(turn)]);
  expect(rounded).toEqual([
    [90, 90],
    [0, 0],
    [0, 0],
  ]);
});

it('courses are those of the ellipsoid', () => {
  const sea = makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 20, shapes: [] });
  const ends = [sea.positionOf([100, 400]), sea.positionOf([400, 100])];
  // On the sphere it is 45°. At 9° south, a degree of latitude is shorter by 0.65 %.
  expect(mustPlan(sea, tripOf(ends)).legs[0]!.bearing).toBeCloseTo(45.19, 1);
});

it('the planner reports a bend that is too narrow for a large ship', () => {
  const sea = makeSea({
    corner: [8200, 8600],
    squares: [2, 2],
    depth: 20,
    shapes: [
      {
        ring: [
          [100, 0],
          [512, 0],
          [512, 250],
          [110, 250],
          [110, 100],
        ],
        kind: 'land',
        depth: Number.NaN,
      },
      {
        ring: [
          [0, 0],
          [90, 0],
          [90, 270],
          [512, 270],
          [512, 512],
          [0, 512],
        ],
        kind: 'land',
        depth: Number.NaN,
      },
    ],
  });
  const spots: Spot[] = [
    [97, 20],
    [480, 260],
  ];
  const trip = (turningRadius: number) =>
    tripOf(
      spots.map((at) => sea.positionOf(at)),
      { vessel: { turningRadius } },
    );
  mustPlan(sea, trip(60));
  const answer = planWarm(trip(900), sea);
  expect(answer.success).toBe(false);
  if (!answer.success)
    expect(answer.failures[0]).toMatchObject({ code: 'TURN_INFEASIBLE', waypoint: 1 });
});

describe('joinPaths', () => {
  const radiusMeters = 500;
  const middle = WORLD_CELLS / 2;
  const radius = cellsOf(radiusMeters, middle);
  /** A point given in turning radii. */
  const at = ([x, y]: Spot): Point => ({ x: middle + x * radius, y: middle + y * radius });
  const isOpen = () => true;
  const joined = (
    paths: readonly (readonly Point[])[],
    limits: Parameters<typeof joinPaths>[1],
    isClear: (a: Point, b: Point) => boolean,
    poses = 60_000,
  ): readonly Point[] | number | undefined => {
    const run = <T>(piece: () => T) => withSquares({ square: () => undefined }, piece);
    const step = joinPaths(paths, limits, { isClear, run, budget: { poses } }).next();
    return step.done === true ? step.value : undefined;
  };

  it('passes a waypoint if an obstacle is on the straight run through it', () => {
    const obstacle = at([-0.3, -0.3]);
    const isClear = (a: Point, b: Point) =>
      squaredDistanceToSegment(obstacle.x, obstacle.y, a.x, a.y, b.x - a.x, b.y - a.y) >
      (0.06 * radius) ** 2;
    const ways = [
      [at([-10, 0]), at([0, 0])],
      [at([0, 0]), at([0, 10])],
    ];
    const line = joined(ways, { radiusMeters, maxDegrees: 180 }, isClear);
    expect(line).toContainEqual(at([0, 0]));
  });

  it.each<[string, Spot, Spot]>([
    ['a corner', [10, 0], [10, 10]],
    ['a reversal', [10, 0], [0, 0]],
  ])('limits the turn at two equal waypoints at %s', (_, corner, end) => {
    const ways = [
      [at([0, 0]), at(corner)],
      [at(corner), at(corner)],
      [at(corner), at(end)],
    ];
    const limits = { radiusMeters, maxDegrees: 20 };
    const once = joined([ways[0]!, ways[2]!], limits, isOpen) as Point[];
    const twice = joined(ways, limits, isOpen) as Point[];
    const isCorner = ({ x, y }: Point) => x === at(corner).x && y === at(corner).y;
    expect(twice.filter(isCorner)).toHaveLength(2);
    expect(twice.filter((point, i) => !(isCorner(point) && isCorner(twice[i + 1]!)))).toEqual(once);
  });

  it('reports a turn that takes too long to find', () => {
    const way = [at([11, 15]), at([4, 6]), at([8, 12])];
    expect(joined([way], { radiusMeters, maxDegrees: 20 }, isOpen, 0)).toBe(1);
  });

  it('returns the line if it fits after the last permitted repair', () => {
    const way = [at([11, 15]), at([4, 6]), at([8, 12])];
    const line = joined([way], { radiusMeters, maxDegrees: 20 }, isOpen);
    expect(line).toBeInstanceOf(Array);
  });

  it('returns the waypoint after the last corner that does not fit', () => {
    const ways = [
      [at([0.88, 1.87]), at([18.93, 21.56])],
      [at([18.93, 21.56]), at([23.69, 20.1]), at([23.1, 20.9])],
    ];
    const limits = { radiusMeters, maxDegrees: 20 };
    expect(joined(ways, limits, isOpen)).toBe(2);
    const middle = ways[1]![0]!;
    expect(joined([ways[0]!, [middle, middle], ways[1]!], limits, isOpen)).toBe(3);
  });
});
