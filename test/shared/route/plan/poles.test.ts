// Trips whose shortest way passes a pole, which lies at no finite height of the plane: places half a
// turn apart made the planner look at millions of places, for the better part of a minute.

import { expect, test } from 'vitest';
import { greatCircle, pointOf, WORLD_CELLS } from '../../../../shared/route/plan/geometry/plane.ts';
import { planRoute } from '../../../../shared/route/plan/plan-route.ts';
import type { Position } from '../../../../shared/route/trip.ts';
import { tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const ACROSS: readonly (readonly [from: Position, to: Position])[] = [
  [
    [0, 85],
    [180, 85],
  ],
  [
    [0, 90],
    [180, 90],
  ],
  [
    [-90, -60],
    [90, -60],
  ],
  [
    [10, 10],
    [-170, 50],
  ],
  [
    [-20, 89.999_999],
    [160, -20],
  ],
  [
    [0, 0],
    [180, 0],
  ],
  [
    [20, 30],
    [-160, -30],
  ],
];

/** Pieces of a great circle are a twentieth of a radian, and one that is opposite is made of two. */
const MOST_PIECES = 2 * Math.ceil(Math.PI / 0.05);

function expectOnPlane([from, to]: readonly [Position, Position]): void {
  const points = greatCircle(pointOf(from), pointOf(to));
  expect(points.length).toBeLessThanOrEqual(MOST_PIECES);
  const off = points
    .slice(0, -1)
    .filter(({ x, y }) => !(Number.isFinite(x) && y >= 0 && y <= WORLD_CELLS));
  expect({ from, to, off }).toEqual({ from, to, off: [] });
}

test('a great circle across a pole stays on the plane', () => {
  for (const trip of ACROSS) expectOnPlane(trip);
});

test('a great circle between any two places, most of them half a turn apart, stays on the plane', () => {
  const random = seededRandom(20_261_122);
  for (let round = 0; round < 5000; round++) {
    const longitude = random() * 360 - 180;
    const apart = [180, 180 + (random() - 0.5) * 10 ** -(round % 12), random() * 360][round % 3]!;
    const latitude = () => (random() - 0.5) * (round % 2 === 0 ? 180 : 179.999_999_999);
    expectOnPlane([
      [longitude, latitude()],
      [longitude + apart - (longitude + apart > 180 ? 360 : 0), latitude()],
    ]);
  }
});

test('a trip across a pole requests few squares, and only existing ones', () => {
  for (const [from, to] of ACROSS) {
    const sea = { square: () => undefined };
    const { done, value } = planRoute(tripOf([from, to]), sea).next();
    expect([from, to, done]).toEqual([from, to, false]);
    const asked = value as readonly {
      readonly z: number;
      readonly x: number;
      readonly y: number;
    }[];
    expect(asked.length).toBeLessThanOrEqual(16);
    for (const { z, x, y } of asked) {
      const isThere = [x, y].every((n) => Number.isInteger(n) && n >= 0 && n < 2 ** z);
      expect([from, to, z, x, y, isThere]).toEqual([from, to, z, x, y, true]);
    }
  }
});
