// Avoided areas that are as wide as half the globe or more.

import { describe, expect, test } from 'vitest';
import { AvoidedAreas } from '../../../../shared/route/plan/geometry/avoided-areas.ts';
import { BLOCKED, FREE } from '../../../../shared/route/plan/geometry/blocks.ts';
import { pointOf } from '../../../../shared/route/plan/geometry/plane.ts';
import type { Position } from '../../../../shared/route/trip.ts';

const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
/** The 10 km blocks in which a point is looked up. */
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

describe('an avoided area', () => {
  test.each<[string, Position[], Position[], Position[]]>([
    [
      'around the globe in the south',
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
      'around the globe from Greenwich',
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
      'in the opposite direction',
      box(180, 20, -180, 40),
      [
        [-90, 30],
        [90, 30],
      ],
      [[0, 0]],
    ],
    [
      'of exactly half the globe',
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
  ])('%s with a hole', (_, ring) => {
    const areas = new AvoidedAreas([[ring, box(-25, -35, -15, -25)]]);
    expect(stateAt(areas, [-20, -30])).toEqual(OUTSIDE);
    expect(stateAt(areas, [-40, -30])).toEqual(WITHIN);
  });

  test('around the globe is crossed by a line that begins next to its seam', () => {
    const areas = new AvoidedAreas([[box(-180, -90, 180, -45)]]);
    const a = pointOf([179.9, -44]);
    for (const degrees of [0.2, -0.2, 1]) {
      const b = pointOf([179.9 + degrees, -46]);
      expect(areas.meets(a, b)).toBe(true);
    }
    expect(areas.meets(a, pointOf([181, -43]))).toBe(false);
  });
});
