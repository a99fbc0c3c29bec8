// The line of a depth profile: its length, its pieces and the places of its samples.

import geodesic from 'geographiclib-geodesic';
import { describe, expect, it } from 'vitest';
import { mercatorY } from '../../../shared/geo/mercator.ts';
import { rhumbBetween } from '../../../shared/geo/rhumb.ts';
import {
  evenDistances,
  type LonLat,
  lengthOf,
  piecesOf,
  placesAt,
  steppedDistances,
} from '../../../shared/query/profile-line.ts';
import { GRID } from '../../../shared/query/record.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const meters = ([lon1, lat1]: LonLat, [lon2, lat2]: LonLat): number =>
  geodesic.Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2).s12!;

/** Lines of one leg, up to 300 km long, at latitudes up to 84°. */
function randomLegs(count: number): (readonly [LonLat, LonLat])[] {
  const random = seededRandom(20_261_125);
  return Array.from({ length: count }, () => {
    const latitude = (random() * 2 - 1) * 82;
    const longitude = random() * 360 - 180;
    const reach = 2 * random();
    const wide = (random() * 2 - 1) * (reach / Math.cos((latitude * Math.PI) / 180));
    return [
      [longitude, latitude],
      [longitude + Math.max(-20, Math.min(20, wide)), latitude + (random() * 2 - 1) * reach],
    ];
  });
}

describe('piecesOf', () => {
  it('has the length of the rhumb line', () => {
    for (const [from, to] of randomLegs(200)) {
      const { meters: expected } = rhumbBetween(...from, ...to);
      // The rhumb line of the ellipsoid is not exactly straight on a web map.
      expect(lengthOf(piecesOf([from, to])) / expected).toBeCloseTo(1, 4);
    }
  });

  it('follows the straight line on the Mercator plane', () => {
    for (const [from, to] of randomLegs(100)) {
      const down = mercatorY(to[1]) - mercatorY(from[1]);
      if (Math.abs(down) < 1e-4) continue;
      for (const { fromX, fromY, toX, toY } of piecesOf([from, to])) {
        const latitude = (fromY + toY) / 2 / GRID;
        const t = (mercatorY(latitude) - mercatorY(from[1])) / down;
        const there: LonLat = [from[0] + (to[0] - from[0]) * t, latitude];
        const east = Math.abs((((fromX + toX) / 2 / GRID - there[0] + 540) % 360) - 180);
        // Measured along the parallel, a flat line shows the deviation enlarged.
        const across = east * Math.min(1, Math.abs(down) / (Math.abs(to[0] - from[0]) / 360));
        expect(across * 111_320 * Math.cos((latitude * Math.PI) / 180)).toBeLessThan(0.15);
      }
    }
  });

  it('has short connected pieces with their true lengths', () => {
    for (const [from, to] of randomLegs(50)) {
      let start = 0;
      for (const piece of piecesOf([from, to])) {
        expect(piece.start).toBeCloseTo(start, 6);
        expect(piece.meters).toBeLessThan(3500);
        const length = meters(
          [piece.fromX / GRID, piece.fromY / GRID],
          [piece.toX / GRID, piece.toY / GRID],
        );
        expect(piece.meters).toBeCloseTo(length, 3);
        start += piece.meters;
      }
    }
  });

  it.each<readonly [string, LonLat, LonLat]>([
    ['eastward', [179.9, 10], [-179.9, 10.1]],
    ['westward', [-179.9, 10], [179.9, 10.1]],
    ['eastward beyond 180', [179.9, 10], [180.1, 10.1]],
    ['westward beyond -180', [-179.9, 10], [-180.1, 10.1]],
    ['in the next turn', [539.9 - 360, 10], [180.1, 10.1]],
  ])('is cut at the antimeridian: %s', (_, from, to) => {
    const pieces = piecesOf([from, to]);
    for (const { fromX, toX } of pieces) {
      expect(Math.max(Math.abs(fromX), Math.abs(toX))).toBeLessThanOrEqual(180 * GRID);
      expect(Math.abs(toX - fromX)).toBeLessThan(GRID);
    }
    expect(pieces.some(({ toX }) => Math.abs(toX) === 180 * GRID)).toBe(true);
    expect(lengthOf(pieces)).toBeCloseTo(rhumbBetween(...from, ...to).meters, 0);
  });

  it('starts and ends at the antimeridian without an empty piece', () => {
    for (const side of [180, -180]) {
      const pieces = piecesOf([
        [side, 1],
        [side, 2],
        [side - 0.1, 2],
        [side, 2],
        [side + 0.1, 2],
      ]);
      for (const { meters: length } of pieces) expect(length).toBeGreaterThan(0);
      for (const { fromX, toX } of pieces) expect(Math.abs(toX - fromX)).toBeLessThan(GRID);
    }
  });

  it('skips repeated positions', () => {
    const twice = piecesOf([
      [1, 1],
      [1, 1],
      [1.1, 1],
      [1.1, 1],
    ]);
    expect(twice).toEqual(
      piecesOf([
        [1, 1],
        [1.1, 1],
      ]),
    );
  });
});

describe('samples', () => {
  it('are evenly spaced from the start to the end', () => {
    expect(evenDistances(100, 2)).toEqual([0, 100]);
    expect(evenDistances(100, 5)).toEqual([0, 25, 50, 75, 100]);
  });

  it('are at multiples of an interval and at the end', () => {
    expect(steppedDistances(100, 40)).toEqual([0, 40, 80, 100]);
    expect(steppedDistances(100, 50)).toEqual([0, 50, 100]);
    expect(steppedDistances(100, 500)).toEqual([0, 100]);
  });

  it('lie at their distances along the line', () => {
    const line: LonLat[] = [
      [-20, -30],
      [-19.8, -30.1],
      [-19.8, -29.9],
    ];
    const pieces = piecesOf(line);
    const places = placesAt(pieces, evenDistances(lengthOf(pieces), 101));
    expect(places[0]).toMatchObject({ longitude: -20, latitude: -30, distance: 0 });
    expect(places[100]).toMatchObject({ longitude: -19.8, latitude: -29.9 });
    const corner = rhumbBetween(...line[0]!, ...line[1]!).meters;
    for (const { longitude, latitude, distance } of places) {
      const onFirst = distance < corner;
      const from = onFirst ? line[0]! : line[1]!;
      const along = rhumbBetween(...from, longitude, latitude).meters;
      expect(along + (onFirst ? 0 : corner)).toBeCloseTo(distance, 0);
    }
  });

  it('continue on the other side of the antimeridian', () => {
    const pieces = piecesOf([
      [179.9, 0],
      [-179.9, 0],
    ]);
    const places = placesAt(pieces, evenDistances(lengthOf(pieces), 5));
    const longitudes = places.map(({ longitude }) => longitude);
    expect(longitudes.map((one) => Math.round(Math.abs(one) * 1e6) / 1e6)).toEqual([
      179.9, 179.95, 180, 179.95, 179.9,
    ]);
    expect([longitudes[1]! > 0, longitudes[3]! < 0]).toEqual([true, true]);
  });
});
