<<<<<<< HEAD
// Areas to stay out of that are as wide as half the globe, or all of it.

import { describe, expect, test } from 'vitest';
import { AvoidedAreas } from '../../../../shared/route/plan/avoided-areas.ts';
import { BLOCKED, FREE } from '../../../../shared/route/plan/blocks.ts';
import { pointOf } from '../../../../shared/route/plan/plane.ts';
import type { Position } from '../../../../shared/route/trip.ts';

const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
/** Blocks of 10 km, in which a point is looked for. */
const LEVEL = 10;

const stateAt = (areas: AvoidedAreas, place: Position) => {
  const { x, y } = pointOf(place);
  return {
    block: areas.classOf(LEVEL, Math.floor(x / 2 ** LEVEL), Math.floor(y / 2 ** LEVEL)),
    isMet: areas.meets({ x, y }, { x: x + 1, y: y + 1 }),
  };
};
const WITHIN = { block: BLOCKED, isMet: true };
const OUTSIDE = { block: FREE, isMet: false };

describe('an area to stay out of', () => {
  test.each<[string, Position[], Position[], Position[]]>([
    [
      'all round the globe in the south',
      box(-180, -90, 180, -45),
      [
        [-20, -60],
        [179.9, -50],
        [-179.9, -50],
        [0, -84],
      ],
      [
        [-20, -40],
        [179.9, -40],
        [-179.9, 40],
      ],
    ],
    [
      'all round from Greenwich',
      box(0, 20, 360, 40),
      [
        [-90, 30],
        [90, 30],
        [-1, 30],
        [1, 30],
      ],
      [[0, 0]],
    ],
    [
      'round the other way',
      box(180, 20, -180, 40),
      [
        [-90, 30],
        [90, 30],
      ],
      [[0, 0]],
    ],
    [
      'of just half the globe',
      box(-110, -60, 70, 0),
      [
        [-20, -30],
        [60, -5],
      ],
      [
        [90, -30],
        [179, -30],
      ],
    ],
    [
      'of the other half',
      box(70, -60, 250, 0),
      [
        [90, -30],
        [179, -30],
        [-179, -30],
      ],
      [[-20, -30]],
    ],
    [
      'across 180°',
      box(170, -10, 190, 10),
      [
        [175, 0],
        [-175, 0],
      ],
      [
        [165, 0],
        [-165, 0],
        [0, 0],
      ],
    ],
  ])('%s', (_, ring, within, outside) => {
    const areas = new AvoidedAreas([[ring]]);
    for (const place of within) expect([place, stateAt(areas, place)]).toEqual([place, WITHIN]);
    for (const place of outside) expect([place, stateAt(areas, place)]).toEqual([place, OUTSIDE]);
  });

  test.each<[string, Position[]]>([
    ['the world', box(-180, -90, 180, 90)],
    ['the world from Greenwich', box(0, -90, 360, 90)],
    ['half of the globe', box(-110, -60, 70, 0)],
  ])('%s, but for a hole in it', (_, ring) => {
    const areas = new AvoidedAreas([[ring, box(-25, -35, -15, -25)]]);
    expect(stateAt(areas, [-20, -30])).toEqual(OUTSIDE);
    expect(stateAt(areas, [-40, -30])).toEqual(WITHIN);
  });

  test('all round the globe is met by a line that begins beside its seam', () => {
    const areas = new AvoidedAreas([[box(-180, -90, 180, -45)]]);
    const a = pointOf([179.9, -44]);
    for (const degrees of [0.2, -0.2, 1]) {
      const b = pointOf([179.9 + degrees, -46]);
      expect(areas.meets(a, b)).toBe(true);
    }
    expect(areas.meets(a, pointOf([181, -43]))).toBe(false);
  });
=======
// Areas to stay out of as GeoJSON gives them: around the world, across 180°, with holes.

import { expect, test } from 'vitest';
import { AvoidedAreas } from '../../../../shared/route/plan/avoided-areas.ts';
import { BLOCKED, FREE } from '../../../../shared/route/plan/blocks.ts';
import { pathOf, pointOf } from '../../../../shared/route/plan/plane.ts';
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
  const outer = ring(10, 20, 170, -170);
  const rings = [outer, ring(14, 16, 178, -178)];
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
>>>>>>> routes
});
