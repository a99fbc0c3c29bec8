// Avoided areas: very wide ones, and ones with many corners.

import { describe, expect, test } from 'vitest';
import { isPointInRing } from '../../../../shared/geo/ring.ts';
import { codeOfDepth } from '../../../../shared/route/depth-code.ts';
import { AvoidedAreas } from '../../../../shared/route/plan/geometry/avoided-areas.ts';
import { BLOCKED, FREE, MIXED } from '../../../../shared/route/plan/geometry/blocks.ts';
import { touchesBlock } from '../../../../shared/route/plan/geometry/corridor.ts';
import { pointOf } from '../../../../shared/route/plan/geometry/plane.ts';
import type { Position } from '../../../../shared/route/trip.ts';
import { makeSea } from '../../../support/route/synthetic-sea.ts';
import { planWarm, tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

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

test.each([
  ['one area', 1],
  ['many areas', 300],
])('edges are straight in degrees: %s', (_, count) => {
  const triangle: Position[] = [
    [0, 50],
    [10, 60],
    [0, 60],
    [0, 50],
  ];
  const areas = new AvoidedAreas(Array.from({ length: count }, () => [triangle]));
  // The straight line on the plane is 0.2 degrees away. The border of an area has whole blocks.
  for (const tenth of [1, 5, 9]) {
    expect(stateAt(areas, [tenth - 0.05, 50 + tenth]).isMet).toBe(true);
    expect(stateAt(areas, [tenth + 0.05, 50 + tenth]).isMet).toBe(false);
  }
});

describe('a wide avoided area', () => {
  test('does not enclose a waypoint that is near its border', () => {
    const beyond = codeOfDepth(20);
    const sea = makeSea({ corner: [8200, 8600], squares: [1, 1], depth: 20, shapes: [], beyond });
    const options = { avoidAreas: [[box(-30, -10, -10, 10)]] };
    for (const from of [
      [-9.999, 0.3],
      [-10.3, 10.0005],
    ] as Position[]) {
      const answer = planWarm(tripOf([from, [-9.5, 0.5]], { options }), sea);
      expect(answer).toMatchObject({ success: true });
    }
  });
});

describe('an avoided area with many corners', () => {
  /** A star. Each corner lies in another direction, at a random distance in degrees. */
  const star = (corners: number, random: () => number, turned: boolean): Position[] => {
    const ring = Array.from({ length: corners }, (_, i): Position => {
      const angle = (2 * Math.PI * i) / corners;
      const radius = 0.002 + 0.01 * random();
      // Long teeth in one direction, as those of a comb.
      const [along, across] = [radius * Math.cos(angle) * 6, radius * Math.sin(angle)];
      return turned ? [10 + along, 54 + across] : [10 + across, 54 + along];
    });
    return [...ring, ring[0]!];
  };

  test.each([true, false])('classifies blocks as a comparison with every edge does', (turned) => {
    const random = seededRandom(turned ? 20 : 21);
    const rings = [star(400, random, turned), star(60, random, !turned)];
    const areas = new AvoidedAreas([rings]);
    const flat = rings.map((ring) => ring.map(pointOf).flatMap(({ x, y }) => [x, y]));
    const numbers = flat.flat();
    const edge = (side: 0 | 1, pick: 'min' | 'max') =>
      numbers.reduce(
        (best, one, i) => (i % 2 === side ? Math[pick](best, one) : best),
        numbers[side]!,
      );
    const [west, east, north, south] = [
      edge(0, 'min'),
      edge(0, 'max'),
      edge(1, 'min'),
      edge(1, 'max'),
    ];
    const found = { [FREE]: 0, [MIXED]: 0, [BLOCKED]: 0 };
    const asked = 4000;
    for (let i = 0; i < asked; i++) {
      const level = Math.floor(random() * 9);
      const [x, y] = [west + (east - west) * random(), north + (south - north) * random()].map(
        (value) => Math.floor(value / 2 ** level),
      ) as [number, number];
      const size = 2 ** level;
      const isBorder = flat.some((ring) =>
        ring.some(
          (_, at) =>
            at % 2 === 0 &&
            at + 3 < ring.length &&
            touchesBlock(
              {
                ax: ring[at]!,
                ay: ring[at + 1]!,
                bx: ring[at + 2]!,
                by: ring[at + 3]!,
                halfWidth: 0,
              },
              x * size,
              y * size,
              size,
            ),
        ),
      );
      const inside = flat.filter((ring) => isPointInRing((x + 0.5) * size, (y + 0.5) * size, ring));
      const plain = inside.length % 2 === 1 ? BLOCKED : FREE;
      const known = areas.classOf(level, x, y);
      expect([level, x, y, known]).toEqual([
        level,
        x,
        y,
        isBorder ? (known === FREE ? MIXED : known) : plain,
      ]);
      found[known]++;
    }
    expect(Math.min(...Object.values(found))).toBeGreaterThan(asked / 50);
    // 460 edges for each block, if every edge were compared.
    expect(areas.compared).toBeLessThan((asked * 460) / 4);
  });
});
