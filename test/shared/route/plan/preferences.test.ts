// Preferences of a trip, and kinds of area that it avoids: lanes, fairways, the shore.

import { describe, expect, it } from 'vitest';
import { legMeters, pointOf } from '../../../../shared/route/plan/geometry/plane.ts';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import type { AvoidKind, Plan } from '../../../../shared/route/trip.ts';
import { drawSea } from '../../../support/route/draw-sea.ts';
import { mustFail, mustPlan } from '../../../support/route/expect-safe.ts';
import {
  box,
  LAND,
  makeSea,
  type Shape,
  type Spot,
  type SyntheticSea,
} from '../../../support/route/synthetic-sea.ts';
import { type TripChanges, tripOf } from '../../../support/route/trips.ts';

const sea = (...shapes: Shape[]) =>
  makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 20, shapes });

/** Areas with flags that are allowed and have no edges. */
const area = (ring: Spot[], flags: number, laneBearing?: number): Shape => ({
  ring,
  kind: 'restricted',
  flags,
  hasEdges: false,
  ...(laneBearing === undefined ? {} : { laneBearing }),
});

function plan(
  name: string,
  world: SyntheticSea,
  spots: readonly Spot[],
  changes: TripChanges,
): Plan {
  const asked = tripOf(
    spots.map((spot) => world.positionOf(spot)),
    changes,
  );
  const answer = mustPlan(world, asked);
  drawSea(name, world, asked, answer.path);
  return answer;
}

/** Metres of a path inside a box, by small steps. */
function metersIn(world: SyntheticSea, { path }: Plan, ring: readonly Spot[]): number {
  const [[left, top], , [right, bottom]] = ring as [Spot, Spot, Spot];
  let meters = 0;
  for (const [i, to] of path.entries()) {
    const from = path[i - 1];
    if (from === undefined) continue;
    const [a, b] = [world.spotOf(from), world.spotOf(to)];
    const step = legMeters(pointOf(from), pointOf(to)) / 500;
    for (let k = 0.5; k < 500; k++) {
      const x = a[0] + ((b[0] - a[0]) * k) / 500;
      const y = a[1] + ((b[1] - a[1]) * k) / 500;
      if (x > left && x < right && y > top && y < bottom) meters += step;
    }
  }
  return meters;
}

const codes = ({ warnings }: Plan) => warnings.map(({ code }) => code);
const laneText = ({ warnings }: Plan) =>
  warnings.find(({ code }) => code === 'CROSSES_LANE')?.message;

describe('traffic separation schemes', () => {
  const north = box(100, 150, 400, 240);
  const zone = box(100, 240, 400, 260);
  const south = box(100, 260, 400, 350);
  const strait = sea(
    { ...LAND, ring: box(100, 20, 400, 150) },
    { ...LAND, ring: box(100, 350, 400, 490) },
    area(north, SEA_FLAGS.lane, 270),
    area(zone, SEA_FLAGS.separation),
    area(south, SEA_FLAGS.lane, 90),
  );
  const [west, east]: Spot[] = [
    [40, 200],
    [470, 200],
  ];

  it.each([
    ['eastward', [west!, east!], south, north],
    ['westward', [east!, west!], north, south],
  ] as const)(
    'traffic separation schemes are followed %s in the lane that leads there',
    (name, spots, right, wrong) => {
      const followed = plan(`lanes-${name}`, strait, spots, { options: { followTss: true } });
      expect(metersIn(strait, followed, right)).toBeGreaterThan(2500);
      expect(metersIn(strait, followed, wrong)).toBeLessThan(50);
      expect(metersIn(strait, followed, zone)).toBeLessThan(50);
      expect(codes(followed)).not.toContain('CROSSES_LANE');
    },
  );

  it.each(
    ([14, 11] as const).flatMap((zoom) => [
      [zoom, 243, undefined] as const,
      [zoom, 243, 90] as const,
      [zoom, 208, 90] as const,
    ]),
  )(
    'a path with cells of zoom %i does not go against a lane north of row %i, next to the course %s',
    (zoom, border, course) => {
      const wrong = box(100, border - 90, 400, border);
      const right = box(100, border, 400, border + 90);
      const shapes = [
        area(wrong, SEA_FLAGS.lane, 270),
        ...(course === undefined ? [] : [area(right, SEA_FLAGS.lane, course)]),
      ];
      const region = { corner: [8200, 8600], squares: [2, 2], depth: 20 } as const;
      const world = makeSea({ ...region, shapes, finestZoom: () => zoom });
      const spots: Spot[] = [
        [40, border - 8],
        [470, border - 8],
      ];
      const name = `lane-border-${zoom}-${border}-${course}`;
      const followed = plan(name, world, spots, { options: { followTss: true } });
      expect(metersIn(world, followed, wrong)).toBeLessThan(100);
    },
  );

  it('traffic separation schemes are used in the wrong direction only by trips that do not follow them, with a warning', () => {
    const against = plan('lanes-against', strait, [west!, east!], {});
    expect(metersIn(strait, against, north)).toBeGreaterThan(2500);
    expect(laneText(against)).toContain('goes against a lane');
  });

  it('traffic separation schemes are crossed nearly at a right angle, with a warning', () => {
    const open = sea(
      area(box(0, 100, 512, 200), SEA_FLAGS.lane, 270),
      area(box(0, 280, 512, 380), SEA_FLAGS.lane, 90),
      area(box(0, 200, 512, 280), SEA_FLAGS.separation),
    );
    const spots: Spot[] = [
      [150, 60],
      [350, 450],
    ];
    const crossed = plan('lanes-crossed', open, spots, { options: { followTss: true } });
    expect(laneText(crossed)).toMatch(/crosses a (lane|separation zone)/);
    for (const [i, to] of crossed.path.entries()) {
      if (i === 0) continue;
      const [a, b] = [open.spotOf(crossed.path[i - 1]!), open.spotOf(to)];
      const inZone = Math.min(Math.max(a[1], b[1]), 280) - Math.max(Math.min(a[1], b[1]), 200);
      // Every metre of the zone is dear: it is left by nearly the shortest way.
      if (inZone > 20) {
        expect(Math.abs(b[0] - a[0])).toBeLessThan(0.35 * Math.abs(b[1] - a[1]));
      }
    }
  });

  it('a lane without a charted direction has the same cost in both directions, with a warning', () => {
    const NONE = 255 * 1.5;
    const round = sea(area(box(100, 100, 400, 400), SEA_FLAGS.lane, NONE));
    for (const spots of [
      [
        [140, 480],
        [360, 30],
      ],
      [
        [360, 30],
        [140, 480],
      ],
    ] satisfies Spot[][]) {
      const through = plan('lanes-nowhere', round, spots, { options: { followTss: true } });
      expect(through.legs).toHaveLength(1);
      expect(codes(through)).toContain('CROSSES_LANE');
    }
  });

  it('a leg along one lane and then against the next causes a warning', () => {
    const two = sea(
      area(box(60, 150, 250, 240), SEA_FLAGS.lane, 90),
      area(box(300, 150, 480, 240), SEA_FLAGS.lane, 270),
    );
    const spots: Spot[] = [
      [30, 200],
      [500, 200],
    ];
    expect(laneText(plan('lanes-two', two, spots, {}))).toContain('goes against a lane');
  });

  it('traffic separation schemes are avoided on request', () => {
    const short = sea(area(box(220, 100, 300, 400), SEA_FLAGS.lane, 90));
    const spots: Spot[] = [
      [60, 250],
      [450, 250],
    ];
    const around = plan('lanes-avoided', short, spots, { options: { avoid: new Set(['tss']) } });
    expect(metersIn(short, around, box(220, 100, 300, 400))).toBe(0);
  });
});

describe('fairways', () => {
  const world = sea(area(box(60, 308, 460, 332), SEA_FLAGS.fairway));
  /** Flags that only cost are seen no finer than 16 cells. */
  const way = box(60, 303, 460, 337);
  const spots: Spot[] = [
    [50, 290],
    [470, 290],
  ];

  it('draw a trip that prefers them, and no other', () => {
    const plain = plan('fairway-plain', world, spots, {});
    const led = plan('fairway', world, spots, { options: { preferFairways: true } });
    expect(metersIn(world, plain, way)).toBeLessThan(100);
    expect(metersIn(world, led, way)).toBeGreaterThan(2000);
    expect(led.distance).toBeGreaterThan(plain.distance);
    expect(led.distance).toBeLessThan(1.05 * plain.distance);
  });

  it.each([
    ['uncharted', SEA_FLAGS.background],
    ['unknown', SEA_FLAGS.unknownDepth],
  ])('do not lead a trip from charted to %s water', (name, flags) => {
    // The border of the two waters is the border of two squares of zoom 11.
    const offshore = box(-1, 256, 513, 513);
    const shapes = [area(offshore, flags), area(box(20, 20, 60, 30), SEA_FLAGS.fairway)];
    const coast = makeSea({ corner: [8200, 8607], squares: [2, 2], depth: 20, shapes });
    const ends: Spot[] = [
      [20, 240],
      [490, 240],
    ];
    const found = plan(`fairway-${name}`, coast, ends, {
      safety: { allowUnknownDepth: true },
      options: { preferFairways: true },
    });
    expect(metersIn(coast, found, offshore)).toBe(0);
  });

  it('fairways with one direction are used only in that direction, or with a warning', () => {
    const channel = sea(
      area(box(60, 240, 460, 300), SEA_FLAGS.fairway | SEA_FLAGS.oneWay, 270),
      area(box(60, 304, 460, 364), SEA_FLAGS.fairway | SEA_FLAGS.oneWay, 90),
    );
    const options = { followTss: true, preferFairways: true };
    const inFirst = (way: readonly Spot[], changes: TripChanges) => {
      const found = plan('fairway-one-way', channel, way, changes);
      return [metersIn(channel, found, box(60, 240, 460, 300)) > 1000, laneText(found)];
    };
    expect(inFirst(spots, { options })).toEqual([false, undefined]);
    expect(inFirst([...spots].reverse(), { options })).toEqual([true, undefined]);
    const [isAgainst, text] = inFirst(spots, {});
    expect(isAgainst).toBe(true);
    expect(text).toBe('CROSSES_LANE: The path goes against a one-way track or fairway.');
    const around = plan('fairway-tss', channel, spots, { options: { avoid: new Set(['tss']) } });
    expect(metersIn(channel, around, box(60, 240, 460, 300))).toBeGreaterThan(1000);
  });

  it.each([
    ['one-way track or fairway', SEA_FLAGS.fairway | SEA_FLAGS.oneWay, 270, 10],
    ['one-way track or fairway', SEA_FLAGS.fairway | SEA_FLAGS.oneWay, 300, 20],
    ['one-way track or fairway', SEA_FLAGS.fairway | SEA_FLAGS.oneWay, 270, 60],
    ['lane', SEA_FLAGS.lane, 270, 20],
  ])('the only way, against a %s, is sailed straight (row %#)', (name, flags, bearing, half) => {
    const banks = [box(1, 20, 460, 256 - half), box(1, 256 + half, 460, 490), box(1, 100, 10, 400)];
    const river = sea(
      area(box(10, 256 - half, 460, 256 + half), flags, bearing),
      ...banks.map((ring) => ({ ...LAND, ring })),
    );
    const ends: Spot[] = [
      [30, 256],
      [490, 256],
    ];
    const found = plan('fairway-only', river, ends, { options: { followTss: true } });
    const straight = plan('fairway-none', sea(), ends, {}).distance;
    expect(found.distance).toBeLessThan(1.1 * straight);
    expect(laneText(found)).toContain(`against a ${name}`);
  });

  it.each([246, 256, 259, 262])('a border of two fairways at %i is kept', (border) => {
    const sides = sea(
      area(box(20, border - 16, 460, border), SEA_FLAGS.fairway | SEA_FLAGS.oneWay, 270),
      area(box(20, border, 460, border + 16), SEA_FLAGS.fairway | SEA_FLAGS.oneWay, 90),
      { ...LAND, ring: box(1, 20, 460, border - 16) },
      { ...LAND, ring: box(1, border + 16, 460, 490) },
    );
    const ends: Spot[] = [
      [10, border - 5],
      [490, border - 5],
    ];
    const found = plan('fairways-two', sides, ends, { options: { followTss: true } });
    expect(metersIn(sides, found, box(40, border - 16, 440, border - 2))).toBeLessThan(300);
  });

  it('fairways are left if they lead in the wrong direction', () => {
    const astray = sea(area(box(200, 20, 230, 490), SEA_FLAGS.fairway));
    const across = plan('fairway-astray', astray, spots, { options: { preferFairways: true } });
    expect(across.distance).toBeLessThan(1.01 * plan('fairway-no', astray, spots, {}).distance);
  });
});

describe('the shore', () => {
  const cape = { ...LAND, ring: box(250, 0, 260, 250) };
  const world = sea(cape);
  const spots: Spot[] = [
    [60, 200],
    [450, 200],
  ];
  /** Metres between a path and the point of the cape. */
  const off = (found: Plan) => {
    const ys = found.path.slice(1).map((to, i) => {
      const [a, b] = [world.spotOf(found.path[i]!), world.spotOf(to)];
      if (a[0] > 255 || b[0] < 255) return Number.POSITIVE_INFINITY;
      return a[1] + ((b[1] - a[1]) * (255 - a[0])) / (b[0] - a[0]);
    });
    return (Math.min(...ys) - 250) * 9.4;
  };

  it('the path keeps the preferred distance from the shore if that is cheap, and a larger one for safety', () => {
    const near = plan('shore', world, spots, {});
    const wanted = plan('shore-400', world, spots, { safety: { shoreDistance: 400 } });
    const safest = plan('shore-safety', world, spots, { options: { optimize: 'safety' } });
    expect(off(near)).toBeLessThan(50);
    expect(off(wanted)).toBeGreaterThan(off(near) + 50);
    expect(off(safest)).toBeGreaterThan(off(near) + 20);
    for (const { distance } of [wanted, safest]) {
      expect(distance).toBeGreaterThan(near.distance);
      expect(distance).toBeLessThan(1.25 * near.distance);
    }
  });

  it('the shore distance closes no safe channel', () => {
    const channel = sea(
      { ...LAND, ring: box(250, 0, 260, 250) },
      { ...LAND, ring: box(250, 256, 260, 512) },
    );
    plan('shore-channel', channel, spots, { safety: { shoreDistance: 2000 } });
  });
});

describe('kinds of area to avoid', () => {
  const ring = box(220, 60, 300, 512);
  const spots: Spot[] = [
    [60, 250],
    [450, 250],
  ];

  it.each<[AvoidKind, number, string | undefined]>([
    ['restricted', SEA_FLAGS.restricted, 'RESTRICTED_AREA'],
    ['caution', SEA_FLAGS.caution, 'CAUTION_AREA'],
    ['military', SEA_FLAGS.military, 'CAUTION_AREA'],
    ['locks', SEA_FLAGS.lock, 'LOCK'],
    ['openingBridges', SEA_FLAGS.openingBridge, 'OPENING_BRIDGE'],
    ['tss', SEA_FLAGS.separation, 'CROSSES_LANE'],
  ])('%s', (kind, flag, warning) => {
    const world = sea(area(ring, flag));
    const through = plan(`through-${kind}`, world, spots, {});
    expect(metersIn(world, through, ring)).toBeGreaterThan(700);
    expect(codes(through)).toContain(warning);
    const around = plan(`around-${kind}`, world, spots, { options: { avoid: new Set([kind]) } });
    expect(metersIn(world, around, ring)).toBe(0);
    expect(codes(around)).not.toContain(warning);
  });

  it('kinds of area to avoid close the path if there is no other', () => {
    const wall = sea(area(box(220, 0, 300, 512), SEA_FLAGS.restricted));
    const asked = tripOf(
      spots.map((spot) => wall.positionOf(spot)),
      { options: { avoid: new Set(['restricted']) } },
    );
    expect(mustFail(wall, asked).failures[0]!.code).toMatch(/NO_PATH|WAYPOINT_ENCLOSED/);
  });
});
