// Long searches share their thread: each part between two requests for squares must be short.

import { afterEach, expect, test, vi } from 'vitest';
import { pointOf } from '../../../../shared/route/plan/geometry/plane.ts';
import { planRoute } from '../../../../shared/route/plan/plan-route.ts';
import { Pause } from '../../../../shared/route/plan/read/pause.ts';
import { Water } from '../../../../shared/route/plan/read/water.ts';
import { Heuristic } from '../../../../shared/route/plan/search/heuristic.ts';
import type { Sea } from '../../../../shared/route/sea.ts';
import type { Trip } from '../../../../shared/route/trip.ts';
import { box, LAND, makeSea, type Shape } from '../../../support/route/synthetic-sea.ts';
import { tripOf } from '../../../support/route/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A whole square of 256 × 256 cells, and a little more: some milliseconds. */
const MOST_LOOKS = 70_000;

/** The number of sea blocks examined in the longest part between two requests, and in total. */
function looksOf(trip: Trip, sea: Sea): { readonly most: number; readonly all: number } {
  const looks = vi.spyOn(Water.prototype, 'classOf');
  const search = planRoute(trip, sea);
  let most = 0;
  let all = 0;
  for (let isDone = false; !isDone; ) {
    looks.mockClear();
    isDone = search.next().done === true;
    most = Math.max(most, looks.mock.calls.length);
    all += looks.mock.calls.length;
  }
  return { most, all };
}

/** Water between rocks that are so close that only the finest cells show whether it is connected. */
function labyrinth(squares: number): {
  readonly sea: ReturnType<typeof makeSea>;
  readonly cells: number;
} {
  const cells = squares * 256;
  const teeth: Shape[] = [];
  for (let x = 4; x + 4 < cells; x += 4) {
    for (const [top, bottom] of [
      [20, cells / 2],
      [cells / 2, cells - 20],
    ] as const) {
      teeth.push({ ...LAND, ring: box(x + 0.2, top, x + 0.8, bottom), hasEdges: false });
    }
  }
  const wall = { ...LAND, ring: box(0, cells / 2 - 1, cells, cells / 2 + 1) };
  const shapes = [...teeth, wall];
  return {
    sea: makeSea({ corner: [8200, 8600], squares: [squares, squares], depth: 20, shapes }),
    cells,
  };
}

test('the search for a connection through a labyrinth is divided into parts', () => {
  const { sea, cells } = labyrinth(3);
  const trip = tripOf([
    sea.positionOf([10.5, cells / 2 - 40.5]),
    sea.positionOf([cells - 9.5, cells / 2 + 40.5]),
  ]);
  const { most, all } = looksOf(trip, sea);
  expect(most).toBeLessThan(MOST_LOOKS);
  expect(all).toBeGreaterThan(1.5 * MOST_LOOKS);
});

test('the examination of many waypoints is divided into parts', () => {
  const shapes = [{ ...LAND, ring: box(0, 0, 300, 1024) }];
  const sea = makeSea({ corner: [8200, 8600], squares: [4, 4], depth: 20, shapes });
  const waypoints = Array.from({ length: 25 }, (_, i) => sea.positionOf([390.5, 480.5 + 2 * i]));
  const trip = tripOf(waypoints, { safety: { lateralClearance: 2000 } });
  expect(looksOf(trip, sea).most).toBeLessThan(MOST_LOOKS);
});

test('the search for turns in a narrow channel is divided into parts', () => {
  const rings = [
    box(0, 480, 250, 492),
    box(262, 480, 1024, 492),
    box(0, 504, 290, 516),
    box(302, 504, 1024, 516),
  ];
  const shapes = rings.map((ring) => ({ ...LAND, ring }));
  const sea = makeSea({ corner: [8200, 8600], squares: [4, 4], depth: 20, shapes });
  const ends = [sea.positionOf([256.5, 100.5]), sea.positionOf([296.5, 900.5])];
  const { most, all } = looksOf(tripOf(ends, { vessel: { turningRadius: 100 } }), sea);
  expect(most).toBeLessThan(MOST_LOOKS);
  expect(all).toBeGreaterThan(1.5 * MOST_LOOKS);
});

test('the distance to the other side of the world is calculated in parts', () => {
  // All blocks are passable, and the heuristic visits thousands of them for its first result.
  const open = { classOf: () => 1 } as unknown as Water;
  const [from, to] = [pointOf([-20, -40]), pointOf([20, 40])];
  const heuristic = new Heuristic(open, from, to);
  const looks = vi.spyOn(open, 'classOf');
  let pauses = 0;
  let most = 0;
  const asked = (x: number, y: number): number => {
    for (;;) {
      looks.mockClear();
      try {
        return heuristic.bound(x, y);
      } catch (error) {
        if (!(error instanceof Pause)) throw error;
        pauses++;
      } finally {
        most = Math.max(most, looks.mock.calls.length);
      }
    }
  };
  const far = pointOf([160, -60]);
  const meters = asked(far.x, far.y);
  expect(meters).toBeGreaterThan(10_000_000);
  expect(asked(far.x, far.y)).toBe(meters);
  expect(pauses).toBeGreaterThan(2);
  expect(most).toBeLessThan(20_000);
});
