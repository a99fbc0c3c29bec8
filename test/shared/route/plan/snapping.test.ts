// Unsafe waypoints near a breakwater or a spit of land: they are moved to water on the same side.

import { expect, it } from 'vitest';
import { mustPlan } from '../../../support/route/expect-safe.ts';
import { box, LAND, makeSea, type Shape, type Spot } from '../../../support/route/synthetic-sea.ts';
import { tripOf } from '../../../support/route/trips.ts';

/** A barrier from the northern border, and a shoal along its western side. */
function coastWith(barrier: Shape, shoal = box(200, -1, 251, 330), depth = 1) {
  const shapes: Shape[] = [barrier, { ring: shoal, kind: 'depth', depth }];
  return makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 20, shapes });
}
const BREAKWATER: Shape = {
  ring: [
    [250.5, -1],
    [250.5, 300],
  ],
  open: true,
  kind: 'structure',
  depth: Number.NaN,
};
const SPIT: Shape = { ...LAND, ring: box(250.2, -1, 251, 300) };

function snappedFrom(world: ReturnType<typeof coastWith>, from: Spot, maxSnapDistance: number) {
  const spots: Spot[] = [from, [100, 400]];
  const plan = mustPlan(
    world,
    tripOf(spots.map(world.positionOf), { options: { maxSnapDistance } }),
  );
  expect(plan.warnings.map(({ code }) => code)).toContain('SNAPPED');
  return world.spotOf(plan.path[0]!);
}

it.each([
  ['breakwater', BREAKWATER],
  ['spit', SPIT],
])('a waypoint is moved to water on its side of a %s, if that is near enough', (_, barrier) => {
  const world = coastWith(barrier);
  const [x, y] = snappedFrom(world, [247, 150], 600);
  expect(x).toBeGreaterThan(195);
  expect(x).toBeLessThan(200);
  expect(Math.abs(y - 150)).toBeLessThan(2);
  // 47 cells of 9.4 m are too far.
  expect(snappedFrom(world, [247, 150], 300)[0]).toBeGreaterThan(251);
});

it('a waypoint on a high drying bank is moved to water on its side of a breakwater', () => {
  const world = coastWith(BREAKWATER, undefined, -4.5);
  expect(snappedFrom(world, [247, 150], 600)[0]).toBeLessThan(200);
});

it('a waypoint is moved to water that is seen past the end of a breakwater', () => {
  const world = coastWith(BREAKWATER, box(-1, -1, 251, 512));
  const spots = [[240, 280] as const, [400, 400] as const].map(world.positionOf);
  const plan = mustPlan(world, tripOf(spots, { options: { maxSnapDistance: 600 } }));
  const [x, y] = world.spotOf(plan.path[0]!);
  // Where the line to it crosses the line of the breakwater.
  expect(280 + ((y - 280) * (250.5 - 240)) / (x - 240)).toBeGreaterThan(300);
  expect(Math.hypot(x - 240, y - 280)).toBeLessThan(35);
});
