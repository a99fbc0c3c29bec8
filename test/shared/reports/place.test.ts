// The curve of places: whatever lies in a box lies on the stretches that cover it, and little else does.

import { describe, expect, test } from 'vitest';
import { type Box, placeOf, type Stretch, stretchesOf } from '../../../shared/reports/place.ts';
import { REPORT_KINDS } from '../../../shared/reports/report.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const random = seededRandom(20_261_208);
const between = (low: number, high: number) => low + random() * (high - low);
const isOn = (place: number, stretches: readonly Stretch[]) =>
  stretches.some(({ low, high }) => place >= low && place <= high);

function anyBox(): Box {
  const [west, south] = [between(-180, 180), between(-90, 90)];
  const size = 10 ** between(-4, 2.5);
  const far = west + Math.min(359, random() * size);
  return {
    west,
    south,
    east: far > 180 ? far - 360 : far,
    north: Math.min(90, south + random() * size),
  };
}

const pointIn = ({ west, south, east, north }: Box): [number, number] => {
  const longitude = west <= east ? between(west, east) : between(west, east + 360);
  return [longitude > 180 ? longitude - 360 : longitude, between(south, north)];
};

describe('stretches of a box', () => {
  test('hold every point of it, its corners too, for any number of them', () => {
    for (let round = 0; round < 500; round++) {
      const box = anyBox();
      const kinds = REPORT_KINDS.filter(() => random() < 0.5);
      const asked = kinds.length === 0 ? REPORT_KINDS : kinds;
      const most = asked.length + Math.floor(random() * 40);
      const stretches = stretchesOf(box, asked, most);
      expect(stretches.length).toBeLessThanOrEqual(most);
      const corners: [number, number][] = [
        [box.west, box.south],
        [box.east, box.north],
        [box.west, box.north],
        [box.east, box.south],
      ];
      for (const [longitude, latitude] of [
        ...corners,
        ...Array.from({ length: 20 }, () => pointIn(box)),
      ]) {
        for (const kind of REPORT_KINDS) {
          const place = placeOf(kind, longitude, latitude);
          if (asked.includes(kind)) {
            expect(isOn(place, stretches), JSON.stringify({ box, longitude, latitude })).toBe(true);
          }
        }
      }
    }
  });

  test('hold nothing of other kinds', () => {
    const stretches = stretchesOf(
      { west: -180, south: -90, east: 180, north: 90 },
      ['accident'],
      8,
    );
    const inside = (kind: (typeof REPORT_KINDS)[number]) =>
      isOn(placeOf(kind, 12.3, 45.6), stretches);
    expect(REPORT_KINDS.map(inside)).toEqual([false, true, false, false]);
  });

  test('reach little beyond a box: with 32, less than its own size again on the average', () => {
    let beyond = 0;
    const rounds = 200;
    for (let round = 0; round < rounds; round++) {
      const west = between(-170, 100);
      const south = between(-80, 40);
      const box = { west, south, east: west + between(0.1, 40), north: south + between(0.1, 40) };
      const stretches = stretchesOf(box, ['hazard'], 32);
      const covered = stretches.reduce((sum, { low, high }) => sum + high - low, 0) / 1_000_000;
      const own = ((box.east - box.west) / 360) * ((box.north - box.south) / 180);
      beyond += covered / own - 1;
    }
    expect(beyond / rounds).toBeLessThan(1);
  });

  test('are one for all the world, and few for a point', () => {
    const world = { west: -180, south: -90, east: 180, north: 90 };
    expect(stretchesOf(world, REPORT_KINDS, 32)).toHaveLength(4);
    const point = { west: 10, south: 50, east: 10, north: 50 };
    const [stretch] = stretchesOf(point, ['hazard'], 32);
    expect(stretch!.high - stretch!.low).toBeLessThan(0.001);
  });

  test('cover both sides of 180°, and nothing of the other half of the globe', () => {
    const stretches = stretchesOf({ west: 179, south: -1, east: -179, north: 1 }, ['hazard'], 32);
    for (const longitude of [179, 180, -180, -179]) {
      expect(isOn(placeOf('hazard', longitude, 0), stretches)).toBe(true);
    }
    for (const longitude of [0, 90, -90, 170, -170]) {
      expect(isOn(placeOf('hazard', longitude, 0), stretches)).toBe(false);
    }
  });
});

test('places of all positions lie on the axis, ends included', () => {
  for (const kind of REPORT_KINDS) {
    for (const [longitude, latitude] of [
      [-180, -90],
      [180, 90],
      [0, 0],
      [180, -90],
    ] as const) {
      const place = placeOf(kind, longitude, latitude);
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThanOrEqual(4_000_000);
    }
  }
});
