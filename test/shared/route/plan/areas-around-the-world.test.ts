// Areas to stay out of as GeoJSON gives them: around the world, across 180°, with holes.

import { expect, test } from 'vitest';
import { AvoidedAreas } from '../../../../shared/route/plan/geometry/avoided-areas.ts';
import { BLOCKED, FREE } from '../../../../shared/route/plan/geometry/blocks.ts';
import { pathOf, pointOf } from '../../../../shared/route/plan/geometry/plane.ts';
import type { Position } from '../../../../shared/route/trip.ts';

type Rings = readonly (readonly Position[])[];

const ring = (south: number, north: number, ...longitudes: number[]): Position[] => {
  const there = longitudes.map((longitude): Position => [longitude, south]);
  const back = longitudes.toReversed().map((longitude): Position => [longitude, north]);
  return [...there, ...back, there[0]!];
};

/** Whether an area holds a place, by its blocks and by a line that is as good as a point. */
function holds(rings: Rings, place: Position): boolean {
  const areas = new AvoidedAreas([rings]);
  const { x, y } = pointOf(place);
  const kind = areas.classOf(0, Math.floor(x), Math.floor(y));
  const isMet = areas.meets({ x, y }, { x: x + 0.01, y });
  expect([BLOCKED, FREE]).toContain(kind);
  expect(isMet).toBe(kind === BLOCKED);
  return isMet;
}

const BANDS: readonly (readonly [string, Rings])[] = [
  ['with corners at 180° alone', [ring(-60, -50, -180, 180)]],
  ['with a corner on Greenwich', [ring(-60, -50, -180, 0, 180)]],
  ['with four corners', [ring(-60, -50, -180, -90, 0, 90, 180)]],
  ['from 0° to 360°', [ring(-60, -50, 0, 180, 360)]],
];

test.each(BANDS)('a band around the world %s is one everywhere', (_, rings) => {
  for (const longitude of [-179.9, -120, -1, 1, 77, 179.9]) {
    expect(holds(rings, [longitude, -55]), `${longitude}`).toBe(true);
    expect(holds(rings, [longitude, -45]), `${longitude}`).toBe(false);
    expect(holds(rings, [longitude, -61]), `${longitude}`).toBe(false);
  }
});

test.each(BANDS)(
  'no line comes through a band around the world %s, at 180° neither',
  (_, rings) => {
    const areas = new AvoidedAreas([rings]);
    for (const [west, east] of [
      [179, -179],
      [-179, 179],
      [-5, 5],
      [170, 179.99],
    ] as const) {
      const [a, b] = pathOf([
        [west, -45],
        [east, -65],
      ]);
      expect(areas.meets(a!, b!)).toBe(true);
      expect(areas.meets(b!, a!)).toBe(true);
    }
  },
);

test('an area across 180° is small, and its hole lies in it', () => {
  const outer = ring(10, 20, 170, 190);
  const rings = [outer, ring(14, 16, 178, 182)];
  for (const [place, is] of [
    [[175, 15], true],
    [[-175, 15], true],
    [[179.5, 15], false],
    [[-179.5, 15], false],
    [[0, 15], false],
    [[165, 15], false],
  ] as const) {
    expect(holds(rings, place), `${place}`).toBe(is);
  }
});

test('a hole of a band around the world is open', () => {
  const rings = [ring(-60, -50, -180, 180), ring(-58, -52, 10, 20)];
  expect(holds(rings, [15, -55])).toBe(false);
  expect(holds(rings, [25, -55])).toBe(true);
});
